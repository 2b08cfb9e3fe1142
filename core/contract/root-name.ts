import type { RootSelection } from './operation.ts'

/** Names of the schema, not the client's; what plugins add has the name in the answer. */
export function rootName(root: RootSelection): string {
  return root.kind === 'operation' ? root.operation.wireName : root.kind === 'node' ? 'node' : root.responseKey
}
