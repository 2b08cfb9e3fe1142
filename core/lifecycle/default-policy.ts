import { denialSet } from '../access/denial-set.ts'
import type { DenialSet } from '../contract/access.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { Operation, OperationTemplate, RootGuard, RootSelection } from '../contract/operation.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { SchemaModel } from '../schema/model.ts'
import { guardOf, nodeGuardsOf } from './guard-of.ts'

export type DefaultPolicy = 'authenticated' | 'public'

/** Callable by everybody under this policy? */
export function isOpenOperation(operation: RootGuard, policy: DefaultPolicy): boolean {
  if (operation.public) return true
  const guarded =
    operation.authenticated ||
    operation.apiKeyRequired ||
    operation.requiresRole.length > 0 ||
    operation.requiresScope !== undefined ||
    operation.requiresPolicy !== undefined
  return policy === 'public' && !guarded
}

function isOpen(root: RootSelection, schema: SchemaModel, policy: DefaultPolicy): boolean {
  // It gives no row of a type that is not open.
  if (root.kind === 'node') return policy === 'public' && closedNodes(schema).length < nodeGuardsOf(schema).size
  const guards = guardOf(root, schema)
  // Whose guards are nobody's own (introspection) follows the policy.
  return (guards.length > 0 || policy === 'public') && guards.every((guard) => isOpenOperation(guard, policy))
}

/** Relay types whose rows `node` gives to nobody who is anonymous, where the policy is `public`. */
function closedNodes(schema: SchemaModel): readonly string[] {
  return [...nodeGuardsOf(schema)].flatMap(([name, guards]) =>
    guards.every((guard) => isOpenOperation(guard, 'public')) ? [] : [name],
  )
}

/** @returns what is denied all the same */
export type DefaultPolicyCheck = (exchange: Exchange, operation: Operation) => DenialSet | undefined

/** Who asks for what guards say, beyond the policy. */
const GUARDS: ReadonlySet<string> = new Set(['scopes', 'policies'])

function refuseUnguarded(root: RootSelection, schema: SchemaModel, running: ReadonlySet<string>): void {
  for (const guard of guardOf(root, schema)) {
    const rights = guard.apiKeyRequired || guard.requiresRole.length > 0 || guard.requiresScope !== undefined
    const missing = rights && !running.has('scopes') ? 'scopes' : 'policies'
    if (running.has(missing) || (missing === 'policies' && guard.requiresPolicy === undefined)) continue
    throw new SvcError(
      'INTERNAL_SERVER_ERROR',
      `"${root.responseKey}" is guarded by what plugin "${missing}" asks for, which is not running. Enable it, or leave out the plugin that this field comes from.`,
    )
  }
}

/**
 * The kernel's own check, which runs whatever plugins are left out (spec "Authorization" 1): an anonymous exchange may
 * call what the policy, or the operation itself, opens. It knows nothing of roles and scopes; their plugin does. Where
 * that plugin does not run, a root that wants them is closed to everybody: the schema's own do not boot then, those that
 * a plugin answers come here.
 * @param running names of the plugins that run; default: who guards is here
 * @returns a check that throws UNAUTHENTICATED, or INTERNAL_SERVER_ERROR that names the missing plugin in the log; it gives
 * what is denied to who is anonymous, where that is not all
 */
export function createDefaultPolicy(policy: DefaultPolicy, running: ReadonlySet<string> = GUARDS): DefaultPolicyCheck {
  const open = new WeakMap<OperationTemplate, boolean>()
  const guarded = [...GUARDS].every((name) => running.has(name))
  const complete = new WeakSet<OperationTemplate>()
  const closed = new WeakMap<SchemaModel, DenialSet | null>()

  function closedOf(schema: SchemaModel): DenialSet | null {
    let set = closed.get(schema)
    if (set === undefined) {
      const names = closedNodes(schema)
      const error = new SvcError('UNAUTHENTICATED', 'Authentication required')
      set =
        names.length === 0
          ? null
          : denialSet(
              schema,
              names.map((name) => ({ target: `node:${name}`, error })),
            )
      closed.set(schema, set)
    }
    return set
  }

  return ({ auth, generation }, { template }) => {
    if (!guarded && !complete.has(template)) {
      for (const root of template.roots) refuseUnguarded(root, generation.schema, running)
      complete.add(template)
    }
    if (auth !== null) return undefined
    let allowed = open.get(template)
    if (allowed === undefined) {
      allowed = template.roots.every((root) => isOpen(root, generation.schema, policy))
      open.set(template, allowed)
    }
    if (!allowed) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
    if (!template.roots.some(({ kind }) => kind === 'node')) return undefined
    return closedOf(generation.schema) ?? undefined
  }
}
