/** The part of an Exchange that a driver needs to cancel a statement. */
export interface Cancellable {
  readonly aborted: boolean
  readonly abortReason?: 'timeout' | 'client' | null
  /**
   * Calls back when the request is aborted; at once when it already is. A function that listens already is not added again.
   * @returns takes the listener back
   */
  onAbort(listener: AbortListener): () => void
  /** {@link onAbort} for whoever keeps the listener itself, to take it back without a function made for that. */
  addAbortListener(listener: AbortListener): void
  removeAbortListener(listener: AbortListener): void
}

export type AbortListener = () => void
