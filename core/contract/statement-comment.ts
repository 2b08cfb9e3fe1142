/** Returns the comment for a statement that is about to be sent: `key='value'`. `null`: none, and the statement stays prepared. */
export type ReadStatementComment = () => string | null

/** A comment function, with the name of its plugin. */
export interface OwnedComment {
  readonly plugin: string
  readonly read: ReadStatementComment
}
