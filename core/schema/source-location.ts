/** A position in the author's source, for compile messages. The compiled schema does not contain it. */
export interface SourceLocation {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** An element of an authored schema with its source location. The compiled schema does not contain the location. */
export interface LocatedElement {
  readonly $place?: SourceLocation
}
