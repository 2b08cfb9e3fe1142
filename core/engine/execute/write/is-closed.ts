import type { RootSelection } from '../../../contract/operation.ts'

/**
 * Tests whether a mutation must not run because its result type is denied: it would change rows that the caller may not
 * see. A CREATE runs nevertheless, because there is no row yet; its result is null.
 */
export function isClosed(root: RootSelection): boolean {
  if (root.kind !== 'operation' || root.denied === undefined || !('operation' in root.operation)) return false
  return root.denied === root.operation.named.name && root.operation.operation !== 'CREATE'
}
