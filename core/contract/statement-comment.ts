/**
 * Returns the comment to append to an SQL statement that is about to be sent: `key='value'`. `null`: none, so that the
 * statement can be a prepared one.
 */
export type ReadStatementComment = () => string | null

/** A plugin's function that returns comments for SQL statements, with the plugin's name. */
export interface OwnedComment {
  readonly plugin: string
  readonly read: ReadStatementComment
}
