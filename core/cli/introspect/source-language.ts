/**
 * The source text of one declaration of a module, or of one member of a class, with the comments and decorators before
 * it.
 */
export interface Piece {
  /** Identifies the declaration in every version of the file: `Album`, `title`; an import: `import svc/authoring`. */
  readonly key: string
  readonly text: string
  /** Number of blank lines before it. Absent: the language decides. */
  readonly gap?: number
}

/** A class declaration, split into its head and its members for merging. */
export interface ClassPieces {
  /** Source text before the members: comments, decorators, and the line that opens the body. */
  readonly head: string
  readonly members: readonly Piece[]
}

/** How source of an authoring language is divided for merging. */
export interface SourceLanguage {
  /** Splits a module into its declarations. The key of an import begins with `import `. */
  splitModule(source: string): readonly Piece[]
  joinModule(pieces: readonly Piece[]): string
  /** Splits the source text of a class. @returns `null` when the text is no class with a body of several lines */
  splitClass(text: string): ClassPieces | null
  joinClass(pieces: ClassPieces): string
  /**
   * Adds names that generated source needs to an import that a person has edited.
   * @param ours text of the file
   * @param theirs text of the proposal
   * @param rest the other declarations of the merged module
   */
  mergeImport(ours: string, theirs: string, rest: string): string
}
