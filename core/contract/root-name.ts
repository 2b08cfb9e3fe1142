import type { RootSelection } from './operation.ts'

/**
 * Returns the name that a root field has in the schema, whatever alias the client used. For a root field of a plugin it
 * is the response key.
 */
export function rootName(root: RootSelection): string {
  return root.kind === 'operation' ? root.operation.wireName : root.kind === 'node' ? 'node' : root.responseKey
}
