/** A position in the source of the author, for compile messages. Never part of the artifact. */
export interface SourceLocation {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** An element with the position at which it was written; the compiler removes it. */
export interface LocatedElement {
  readonly $place?: SourceLocation
}
