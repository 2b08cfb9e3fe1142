/** Time that a server has to close a connection after Terminate. Milliseconds. */
const GOODBYE_MS = 3000

/**
 * Destroys a connection that the server does not close in time. A server that does not receive Terminate, or keeps sending,
 * would keep the connection open, which counts against the limit of the pool.
 */
export function destroyUnlessEnded(connection: { readonly ended: Promise<void>; destroy(): void }): void {
  const overdue = setTimeout(() => connection.destroy(), GOODBYE_MS)
  void connection.ended.then(() => clearTimeout(overdue))
}
