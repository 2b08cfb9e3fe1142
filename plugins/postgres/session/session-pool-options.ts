export interface SessionPoolOptions {
  /** Kept open, shared ones included. */
  readonly min: number
  /** Opened at once. */
  readonly initial: number
  readonly acquireTimeoutMs: number
  readonly idleTimeoutMs: number
}
