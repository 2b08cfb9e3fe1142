/**
 * The part of an exchange (a request) that a database driver needs to cancel a statement when the request is aborted.
 */
export interface Cancellable {
  readonly aborted: boolean
  readonly abortReason?: 'timeout' | 'client' | null
  /**
   * Adds a listener that is called once, when the request is aborted: its client disconnects, or its deadline passes.
   * If that has already happened, the listener is called at once. Adding it again has no effect.
   * @returns a function that removes the listener
   */
  onAbort(listener: AbortListener): () => void
  /**
   * Adds a listener like {@link onAbort}, but does not allocate a function that removes it: use `removeAbortListener`.
   */
  addAbortListener(listener: AbortListener): void
  removeAbortListener(listener: AbortListener): void
}

export type AbortListener = () => void
