/** Time that a server has to close a connection after the goodbye. Milliseconds. */
const GOODBYE_MS = 3000

/**
 * Cuts a connection that the server does not close in time. One that hears nothing of the goodbye, or goes on talking, would
 * keep the connection, and its place among those of the pool.
 */
export function destroyUnlessEnded(connection: { readonly ended: Promise<void>; destroy(): void }): void {
  const overdue = setTimeout(() => connection.destroy(), GOODBYE_MS)
  void connection.ended.then(() => clearTimeout(overdue))
}
