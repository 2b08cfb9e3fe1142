/** Time that a server has to close a connection after Terminate. Milliseconds. */
const GOODBYE_MS = 3000

/**
 * Destroys a connection that is being closed if the server does not close it in time, because it would count against
 * the maximum of the pool.
 */
export function destroyUnlessEnded(connection: { readonly ended: Promise<void>; destroy(): void }): void {
  const overdue = setTimeout(() => connection.destroy(), GOODBYE_MS)
  void connection.ended.then(() => clearTimeout(overdue))
}
