import { blockOf, definePlugin, type SchemaModel, SvcError } from '../../core/doors/plugin.ts'
import { bindPolicies } from './bindings.ts'
import { resolveTables } from './check-tables.ts'
import { createDecide, type Decide, type PolicyFunction } from './decide.ts'
import { createGuards, type Guards } from './guards.ts'
import manifest from './manifest.ts'
import type { PolicyOptions, PolicyTables } from './options.ts'
import { NO_TABLES, sameTables, tablesOf } from './tables.ts'

/**
 * The plugin for access policies, from `security.rules`, `security.policies` and `security.field_auth`
 * (docs/plugins/policies.md).
 */
export default definePlugin<PolicyOptions>(manifest, (scope, options) => {
  let isFirst = true
  const guards = scope.perGeneration((schema): Guards | null => {
    const tables = (blockOf(schema, 'policies') ?? NO_TABLES) as PolicyTables
    // The tables of a reloaded schema can differ, because they are part of the artifact.
    if (isFirst && !sameTables(tables, tablesOf(options))) {
      throw new SvcError(
        'SVC_CONFIG_INVALID',
        '[[security.rules]], [[security.policies]] or [[security.field_auth]] are not those that the schema was compiled with. Run svc compile.',
      )
    }
    isFirst = false
    return build(schema, tables)
  })

  function build(schema: SchemaModel, tables: PolicyTables): Guards | null {
    const faults: string[] = []
    const functions = new Map<string, PolicyFunction>()
    for (const { kind, name, value } of schema.authorFunctions) {
      if (kind !== 'policy') continue
      if (typeof value === 'function') functions.set(name, value as PolicyFunction)
      else faults.push(`The policy "${name}" is exported, and is no function.`)
    }
    const policies = resolveTables(tables, new Set(functions.keys()), (_id, message) => faults.push(message))
    const bindings = bindPolicies(schema, policies, tables.field_auth, (message) => faults.push(message))
    if (faults.length > 0) throw new SvcError('SVC_CONFIG_INVALID', faults.join('\n'))
    if (bindings.fields.length === 0 && bindings.operations.size === 0) return null
    const decides = new Map<object, Decide>()
    return createGuards(bindings, schema, (binding) => {
      let decide = decides.get(binding)
      if (decide === undefined) {
        decide = createDecide(binding.policy, {
          functions,
          timeoutMs: options.policy_timeout_ms,
          report,
          fieldOf: binding.fieldOf,
        })
        decides.set(binding, decide)
      }
      return decide
    })
  }

  function report(policy: string, error: unknown): void {
    scope.log.error({ policy, err: error }, 'a policy could not be evaluated, and has denied')
  }

  scope.on(
    'authorize',
    (exchange, { template }, access) => guards.of(exchange.generation)?.(exchange, template, access),
    { position: 'guard' },
  )
})
