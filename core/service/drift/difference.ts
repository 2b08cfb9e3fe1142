/** A difference between database and compiled schema that makes operations of the schema fail. */
export interface Difference {
  readonly kind:
    | 'missing-relation'
    | 'missing-column'
    | 'column-type'
    | 'missing-function'
    | 'function-parameters'
    | 'function-result'
  /** The view, table or function as in `sql_source`, without the name of its database. */
  readonly name: string
  /** The column of the relation, or of the function's rows, that differs. Absent: the whole object differs. */
  readonly column?: string
  /** Elements of the schema that need the object: `Post.title`, `query posts`. */
  readonly places: readonly string[]
  /** Describes the difference, and the current state of the database, in one sentence. */
  readonly message: string
}

/** The text that tells the operator how to resolve a difference. */
export const WAY_OUT =
  'Run the migration that makes what the schema needs, or `svc compile` with this database and deploy what it writes.'

/** Formats a difference: `v_post has no column "title" (Post.title).` */
export function describeDifference({ message, places }: Difference): string {
  const [first = '', ...more] = places
  const where = more.length > 2 ? `${first} and ${more.length} more` : [first, ...more].join(', ')
  return where === '' ? `${message}.` : `${message} (${where}).`
}
