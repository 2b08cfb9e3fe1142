/** A difference between a compiled schema and its database that makes operations fail. */
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
  /** The column of the relation, or of the function's rows, that differs. Absent: the object as a whole differs. */
  readonly column?: string
  /** Elements of the schema that fail because of the difference: `Post.title`, `query posts`. */
  readonly places: readonly string[]
  /** The difference in one sentence without a full stop, with the current state of the database. */
  readonly message: string
}

/** Sentence for messages that tells the operator how to make schema and database match again. */
export const WAY_OUT =
  'Run the migration that makes what the schema needs, or `svc compile` with this database and deploy what it writes.'

/**
 * Formats a difference with the elements of the schema that it affects: `v_post has no column "title" (Post.title).`
 */
export function describeDifference({ message, places }: Difference): string {
  const [first = '', ...more] = places
  const where = more.length > 2 ? `${first} and ${more.length} more` : [first, ...more].join(', ')
  return where === '' ? `${message}.` : `${message} (${where}).`
}
