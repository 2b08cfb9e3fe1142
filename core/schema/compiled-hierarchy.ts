/** A type whose rows form a tree: `id` identifies a row, and `path` is its position in the tree. */
export interface CompiledHierarchy {
  readonly name: string
  readonly type: string
  readonly path: string
  readonly id: string
}
