import type { RootSelection } from '../contract/operation.ts'

/**
 * Is this the call of a mutation about a row of a type that the caller may not see at all? It is not made, as it is not made for a row that is
 * not shown (check-before). One that creates is about no row yet: it is made, and not told of.
 */
export function isClosed(root: RootSelection): boolean {
  if (root.kind !== 'operation' || root.denied === undefined || !('operation' in root.operation)) return false
  return root.denied === root.operation.named.name && root.operation.operation !== 'CREATE'
}
