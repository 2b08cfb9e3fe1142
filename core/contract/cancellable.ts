/** The part of an exchange that a driver needs to cancel a statement. */
export interface Cancellable {
  readonly aborted: boolean
  readonly abortReason?: 'timeout' | 'client' | null
  /**
   * Calls the listener when the exchange is aborted, or at once if it already is. A listener is added only once.
   * @returns a function that removes the listener
   */
  onAbort(listener: AbortListener): () => void
  /**
   * Adds a listener like {@link onAbort}, but without creating a function. Remove the listener with
   * `removeAbortListener`.
   */
  addAbortListener(listener: AbortListener): void
  removeAbortListener(listener: AbortListener): void
}

export type AbortListener = () => void
