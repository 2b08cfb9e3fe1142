import type { Exchange } from '../contract/exchange.ts'
import type { Operation, OperationTemplate, RootGuard, RootSelection } from '../contract/operation.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { SchemaModel } from '../schema/model.ts'
import { guardOf } from './guard-of.ts'

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
  const guards = guardOf(root, schema)
  // Whose guards are nobody's own (introspection, all that gives the rows of `node`) follows the policy too.
  const followsPolicy = root.kind === 'node' || guards.length === 0
  return (!followsPolicy || policy === 'public') && guards.every((guard) => isOpenOperation(guard, policy))
}

/**
 * The kernel's own check, which runs whatever plugins are left out (spec "Authorization" 1): an anonymous exchange may
 * call what the policy, or the operation itself, opens. It knows nothing of roles and scopes; their plugin does.
 * @returns a check that throws UNAUTHENTICATED
 */
export function createDefaultPolicy(policy: DefaultPolicy): (exchange: Exchange, operation: Operation) => void {
  const open = new WeakMap<OperationTemplate, boolean>()
  return ({ auth, generation }, { template }) => {
    if (auth !== null) return
    let allowed = open.get(template)
    if (allowed === undefined) {
      allowed = template.roots.every((root) => isOpen(root, generation.schema, policy))
      open.set(template, allowed)
    }
    if (!allowed) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
  }
}
