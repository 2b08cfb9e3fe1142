/** Rows of a type that are found by `id`, and how they stand to each other by `path`. */
export interface CompiledHierarchy {
  readonly name: string
  readonly type: string
  readonly path: string
  readonly id: string
}
