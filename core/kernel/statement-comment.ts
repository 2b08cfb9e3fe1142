/** What is written behind a statement when it is sent, `key='value'`; `null` = nothing, and the statement stays prepared. */
export type ReadStatementComment = () => string | null

/** A comment and whose it is. */
export interface OwnedComment {
  readonly plugin: string
  readonly read: ReadStatementComment
}
