import { definePlugin, didYouMean, listNames, type SchemaModel, SvcError } from '../../core/doors/plugin.ts'
import type {} from '../federation/api.ts'
import type { BreakerState } from './breaker.ts'
import { Circuits, GuardedSchema } from './circuits.ts'
import { Guard } from './guard.ts'
import manifest from './manifest.ts'
import type { CircuitBreakerOptions, Override } from './options.ts'

const NUMBERS: Readonly<Record<BreakerState, number>> = { closed: 0, open: 1, half_open: 2 }

/**
 * The plugin that stops calling a failing database, with a circuit breaker per entity type
 * (docs/plugins/circuit-breaker.md).
 */
export default definePlugin<CircuitBreakerOptions>(manifest, (scope, options) => {
  const opens = scope.metrics.counterBy('svc_federation_circuit_breaker_opens_total')
  const rejections = scope.metrics.counterBy('svc_federation_circuit_breaker_rejections_total')
  const circuits = new Circuits(
    options,
    () => performance.now(),
    (entity) => {
      opens(entity).add()
      scope.log.warn({ entity }, 'The circuit breaker opened: requests to its database are paused')
    },
  )
  const guard = new Guard(circuits, (entity) => rejections(entity).add(), scope.config.server.request_timeout_ms)
  const guarded = scope.perGeneration(
    (schema) =>
      new GuardedSchema(findEntities(schema, options.per_database, scope.config.federation?.entities), circuits),
  )

  // Innermost, because results of a cache or of a shared read do not reach the database.
  scope.on(
    'resolve',
    (ctx, operation, next) => {
      const asked = guarded.of(ctx.generation).of(operation.template)
      return asked.roots.length === 0 ? next() : guard.run(ctx, operation, asked, next)
    },
    { position: 'share' },
  )

  const states = () => guarded.of(scope.process.generation).states()
  scope.metrics.gauge('svc_federation_circuit_breaker_state', () =>
    states().map(([entity, state]) => ({ labels: { entity }, value: NUMBERS[state] })),
  )
  scope.use('health', { optional: true })?.add('federation', () => ({
    // An open circuit of one entity must not remove the whole service from a load balancer.
    ok: true,
    subgraphs: states().map(([subgraph, state]) => ({ subgraph, state })),
  }))
})

interface Named {
  readonly name: string
}

/**
 * Returns the types that have a circuit: entities with keys (`key_fields`, `keys`, `[[federation.entities]]`), and types in `per_database`.
 * @throws SvcError SVC_CONFIG_INVALID when `per_database` names an unknown type, a type without rows, or a type twice
 */
function findEntities(
  schema: SchemaModel,
  overrides: readonly Override[],
  configured: readonly Named[] = [],
): ReadonlySet<string> {
  const declared = new Set([...configured.map(nameOf), ...schema.compiled.types.filter(hasKey).map(nameOf)])
  const rowTypes = [...schema.types.values()].flatMap((type) =>
    type.kind === 'object' && type.source !== null ? [type.name] : [],
  )
  const found = new Set(rowTypes.filter((name) => declared.has(name)))
  const named = new Set<string>()
  for (const { database } of overrides) {
    if (!rowTypes.includes(database)) throw unknownEntity(database, rowTypes)
    if (named.has(database)) throw invalid(`"${database}" stands there twice.`)
    named.add(database)
    found.add(database)
  }
  return found
}

function hasKey(type: object): boolean {
  return ['key_fields', 'keys'].some((key) => {
    const value = (type as Readonly<Record<string, unknown>>)[key]
    return Array.isArray(value) && value.length > 0
  })
}

function nameOf({ name }: Named): string {
  return name
}

function unknownEntity(name: string, types: readonly string[]): SvcError {
  return invalid(
    `"${name}" is no type of the schema that has rows.${didYouMean(name, types)} Types: ${listNames(types) || 'none'}.`,
  )
}

function invalid(reason: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `federation.circuit_breaker.per_database: ${reason}`)
}
