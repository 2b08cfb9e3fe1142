import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

/** How long a connection may have nothing in flight before it counts as idle while the server stops. */
const IDLE_MS = 50

/**
 * Stops a server without resetting anybody: the listener closes, requests in flight finish, connections without one are
 * ended after a moment, and what is left at the timeout is cut.
 * @param cutOthers ends the connections that are no longer HTTP's
 */
export async function closeServer(server: Server, timeoutMs: number, cutOthers: () => void): Promise<void> {
  // Right after the poll phase all connections that had come are accepted; the listener's backlog is as good as empty.
  await new Promise((done) => setImmediate(done))
  // `http.Server.close` destroys idle connections at once, also those whose first request is on its way.
  const closed = new Promise<void>((done) => void NetServer.prototype.close.call(server, () => done()))
  // After the poll phase as well: what a client has already sent has been read by then, and is in flight, not idle.
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), IDLE_MS)
  const cut = setTimeout(() => {
    server.closeAllConnections()
    cutOthers()
  }, timeoutMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
  // Ends the timer that checks for stalled requests; there is nothing left to close.
  server.close(() => {})
}
