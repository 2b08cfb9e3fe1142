import { SvcError } from '../errors/svc-error.ts'
import type { Exchange } from '../front/exchange.ts'
import type { Operation, OperationTemplate, RootSelection } from '../front/operation.ts'

export type DefaultPolicy = 'authenticated' | 'public'

/** Callable by everybody under this policy? Introspection and `node` follow the policy alone. */
function isOpen(root: RootSelection, policy: DefaultPolicy): boolean {
  if (root.kind !== 'operation') return policy === 'public'
  const { operation } = root
  if (operation.public) return true
  const guarded =
    operation.authenticated ||
    operation.apiKeyRequired ||
    operation.requiresRole.length > 0 ||
    operation.requiresScope !== undefined
  return policy === 'public' && !guarded
}

/**
 * The kernel's own check, which runs whatever plugins are left out (spec "Authorization" 1): an anonymous exchange may
 * call what the policy, or the operation itself, opens. It knows nothing of roles and scopes; their plugin does.
 * @returns a check that throws UNAUTHENTICATED
 */
export function createDefaultPolicy(policy: DefaultPolicy): (exchange: Exchange, operation: Operation) => void {
  const open = new WeakMap<OperationTemplate, boolean>()
  return (exchange, { template }) => {
    if (exchange.auth !== null) return
    let allowed = open.get(template)
    if (allowed === undefined) {
      allowed = template.roots.every((root) => isOpen(root, policy))
      open.set(template, allowed)
    }
    if (!allowed) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
  }
}
