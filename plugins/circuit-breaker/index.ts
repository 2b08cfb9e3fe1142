import { definePlugin } from '../../core/doors/plugin.ts'
import type {} from '../federation/api.ts'
import type { BreakerState } from './breaker.ts'
import { Circuits, GuardedSchema } from './circuits.ts'
import { findEntities } from './find-entities.ts'
import { Guard } from './guard.ts'
import manifest from './manifest.ts'
import type { CircuitBreakerOptions } from './options.ts'

const NUMBERS: Readonly<Record<BreakerState, number>> = { closed: 0, open: 1, half_open: 2 }

/** Circuit breakers of entities (docs/plugins/circuit-breaker.md). */
export default definePlugin<CircuitBreakerOptions>(manifest, (scope, options) => {
  const opens = scope.metrics.counterBy('svc_federation_circuit_breaker_opens_total')
  const rejections = scope.metrics.counterBy('svc_federation_circuit_breaker_rejections_total')
  const circuits = new Circuits(
    options,
    () => performance.now(),
    (entity) => {
      opens(entity).add()
      scope.log.warn({ entity }, 'The circuit breaker opened: its database is not asked for a while')
    },
  )
  const guard = new Guard(circuits, (entity) => rejections(entity).add(), scope.config.server.request_timeout_ms)
  const guarded = scope.perGeneration(
    (schema) =>
      new GuardedSchema(findEntities(schema, options.per_database, scope.config.federation?.entities), circuits),
  )

  // Innermost: what a cache answers, or another's read in flight, has asked no database.
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
    // One entity less is no reason to take the whole service out of the balancer.
    ok: true,
    subgraphs: states().map(([subgraph, state]) => ({ subgraph, state })),
  }))
})
