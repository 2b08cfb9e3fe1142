/** A place in the author's source, for compile messages. Never part of the artifact. */
export interface SourcePlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Every element may carry the place it was written at; the compiler strips it. */
export interface Placed {
  readonly $place?: SourcePlace
}
