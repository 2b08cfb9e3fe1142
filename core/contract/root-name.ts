import type { RootSelection } from './operation.ts'

/** Returns the name of a root field in the schema, without the client's alias. Roots of plugins return their response key. */
export function rootName(root: RootSelection): string {
  return root.kind === 'operation' ? root.operation.wireName : root.kind === 'node' ? 'node' : root.responseKey
}
