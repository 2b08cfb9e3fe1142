import { SvcError } from '../../base/errors/svc-error.ts'
import type { DenialSet } from '../../contract/access.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation, OperationTemplate, RootGuard, RootSelection } from '../../contract/operation.ts'
import { denialSet } from '../../engine/access/denial-set.ts'
import type { SchemaModel } from '../../schema/model.ts'
import { guardOf, nodeGuardsOf } from './guard-of.ts'

export type DefaultPolicy = 'authenticated' | 'public'

/** Tests whether an anonymous caller may call an operation under a policy. */
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
  // `closedNodes` denies the closed types one by one.
  if (root.kind === 'node') return policy === 'public' && closedNodes(schema).length < nodeGuardsOf(schema).size
  const guards = guardOf(root, schema)
  // A root without guards, such as introspection, follows the policy.
  return (guards.length > 0 || policy === 'public') && guards.every((guard) => isOpenOperation(guard, policy))
}

/** Returns the relay types whose rows `node` denies to anonymous callers under the policy `public`. */
function closedNodes(schema: SchemaModel): readonly string[] {
  return [...nodeGuardsOf(schema)].flatMap(([name, guards]) =>
    guards.every((guard) => isOpenOperation(guard, 'public')) ? [] : [name],
  )
}

/**
 * Checks an operation before the `authorize` hooks run.
 * @returns types that are denied although the operation may run; `undefined`: none
 * @throws SvcError UNAUTHENTICATED; INTERNAL_SERVER_ERROR when a plugin that would enforce a guard does not run
 */
export type DefaultPolicyCheck = (exchange: Exchange, operation: Operation) => DenialSet | undefined

/** Plugins that enforce the guards of operations: scopes, roles, API keys and policies. */
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
 * Creates the check of `security.default_policy`, which runs with any set of plugins (docs/guides/authorize.md). An anonymous exchange
 * may call operations that the policy or the operation itself opens. Scopes, roles and policies are enforced by plugins. When such a
 * plugin does not run, a root that needs it is denied to every caller: a schema with such operations does not boot, so this concerns
 * roots that plugins add.
 * @param running names of the running plugins; default: the enforcing plugins run
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
