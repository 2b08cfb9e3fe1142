/** In what the database and the compiled schema differ, so that what the schema promises fails. */
export interface Difference {
  readonly kind:
    | 'missing-relation'
    | 'missing-column'
    | 'column-type'
    | 'missing-function'
    | 'function-parameters'
    | 'function-result'
  /** The view, table or function as `sql_source` writes it, without its database. */
  readonly name: string
  /** The column that differs, of a relation or of the rows of a function. Absent: the whole differs. */
  readonly column?: string
  /** Elements of the schema that need it: `Post.title`, `query posts`. */
  readonly places: readonly string[]
  /** Cause, and what the database has in its place. One sentence. */
  readonly message: string
}

/** What to do about any of them. */
export const WAY_OUT =
  'Run the migration that makes what the schema needs, or `svc compile` with this database and deploy what it writes.'

/** `v_post has no column "title" (Post.title).` */
export function describeDifference({ message, places }: Difference): string {
  const [first = '', ...more] = places
  const where = more.length > 2 ? `${first} and ${more.length} more` : [first, ...more].join(', ')
  return where === '' ? `${message}.` : `${message} (${where}).`
}
