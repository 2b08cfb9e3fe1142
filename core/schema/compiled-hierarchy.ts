/**
 * A type whose rows form a tree. `id` and `path` are names of its fields: the first identifies a row, the second
 * contains the row's path in the tree.
 */
export interface CompiledHierarchy {
  readonly name: string
  readonly type: string
  readonly path: string
  readonly id: string
}
