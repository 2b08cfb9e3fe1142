import { SvcError } from '../errors/svc-error.ts'
import type { Exchange } from '../front/exchange.ts'
import type { Operation, OperationTemplate, RootGuard, RootSelection } from '../front/operation.ts'
import type { SchemaModel } from '../schema/model.ts'

export type DefaultPolicy = 'authenticated' | 'public'

/** Callable by everybody under this policy? */
export function isOpenOperation(operation: RootGuard, policy: DefaultPolicy): boolean {
  if (operation.public) return true
  const guarded =
    operation.authenticated ||
    operation.apiKeyRequired ||
    operation.requiresRole.length > 0 ||
    operation.requiresScope !== undefined
  return policy === 'public' && !guarded
}

/** `node` may give a row of any relay type: it is open when everything that gives such rows is (behaviours 6). */
function isOpenNode(schema: SchemaModel, policy: DefaultPolicy): boolean {
  if (policy !== 'public') return false
  for (const query of schema.queries.values()) {
    const givesNodes = query.named.kind === 'object' && query.named.relay
    if (givesNodes && !isOpenOperation(query, policy)) return false
  }
  return true
}

function isOpen(root: RootSelection, schema: SchemaModel, policy: DefaultPolicy): boolean {
  if (root.kind === 'operation') return isOpenOperation(root.operation, policy)
  if (root.kind === 'node') return isOpenNode(schema, policy)
  if (root.kind === 'literal' && root.call !== undefined) return isOpenOperation(root.call.guard, policy)
  // Introspection follows the policy alone.
  return policy === 'public'
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
