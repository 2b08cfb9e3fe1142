import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/** Time without requests after which a connection counts as idle, while the server stops. */
const IDLE_MS = 50

/** Time limit for accepting the backlog, in case clients connect faster than the server accepts. */
const MOST_BACKLOG_MS = 1000

/**
 * Accepts all connections in the backlog, because closing a listener resets them, even if the client has sent its request.
 * libuv accepts a different number per turn of the event loop in each version. When a turn accepts none, the backlog is empty.
 */
async function emptyBacklog(server: Server): Promise<void> {
  const until = performance.now() + MOST_BACKLOG_MS
  let accepted = 0
  const count = (): void => void accepted++
  server.on('connection', count)
  let before: number
  do {
    before = accepted
    await new Promise((done) => setImmediate(done))
  } while (accepted > before && performance.now() < until)
  server.off('connection', count)
}

/**
 * Stops an HTTP server without resetting connections: closes the listener, lets requests in flight finish, and closes
 * idle connections. After `timeoutMs` milliseconds, it destroys the remaining connections.
 * @param open all connections, including those on which no request has arrived yet
 * @param cutOthers destroys upgraded connections, such as WebSockets; called at the timeout
 */
export async function closeServer(
  server: Server,
  open: ReadonlySet<Socket>,
  timeoutMs: number,
  cutOthers: () => void,
): Promise<void> {
  await emptyBacklog(server)
  // `http.Server.close` destroys idle connections at once, even when their first request is arriving. Bun has no other `close`.
  const { close } = (server as object) instanceof NetServer ? NetServer.prototype : (server as NetServer)
  const closed = new Promise<void>((done) => void close.call(server, () => done()))
  // Runs after the poll phase, when received bytes have been read, so that a connection with a new request is not idle.
  const sweep = setInterval(() => setImmediate(closeIdle), IDLE_MS)
  function closeIdle(): void {
    server.closeIdleConnections()
    // Node does not count a connection as idle before its first request.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  const cut = setTimeout(() => {
    server.closeAllConnections()
    cutOthers()
  }, timeoutMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
  // Stops Node's timer for stalled requests. All connections are closed.
  server.close(() => {})
}
