/** What {@link SessionPool} needs to know about a connection to a database. */
export interface PooledConnection {
  /** May the connection be lent to another caller? */
  readonly isTrusted: boolean
  /** Time since which nobody uses the connection. `performance.now()` */
  idleSince: number
  /** Resolves when the connection is closed. */
  readonly ended: Promise<void>
  /** Calls `then` once no statement is in flight on the connection; at once if there is none. */
  onQuiet(then: () => void): void
  /** Closes a connection that must not be used any more. */
  retire(): void
  /** Closes the connection after its statements have finished. */
  close(): Promise<void>
}
