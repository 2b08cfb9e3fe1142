import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/** How long a connection may have nothing in flight before it counts as idle while the server stops. */
const IDLE_MS = 50

/** How long the backlog of a server may take that is connected to faster than it accepts. */
const MOST_BACKLOG_MS = 1000

/**
 * Closing a listener resets the connections that wait in its backlog: clients that have connected, and sent their request.
 * How many a turn of the event loop accepts depends on the version of libuv; the backlog is empty when a turn has accepted none.
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
 * Stops a server without resetting anybody: the listener closes, requests in flight finish, connections without one are
 * ended after a moment, and what is left at the timeout is cut.
 * @param open its connections; those of browsers and proxies that connect in advance have sent nothing
 * @param cutOthers ends the connections that are no longer HTTP's
 */
export async function closeServer(
  server: Server,
  open: ReadonlySet<Socket>,
  timeoutMs: number,
  cutOthers: () => void,
): Promise<void> {
  await emptyBacklog(server)
  // `http.Server.close` destroys idle connections at once, also those whose first request is on its way. Of Bun it is the only one.
  const { close } = (server as object) instanceof NetServer ? NetServer.prototype : (server as NetServer)
  const closed = new Promise<void>((done) => void close.call(server, () => done()))
  // After the poll phase as well: what a client has already sent has been read by then, and is in flight, not idle.
  const sweep = setInterval(() => setImmediate(closeIdle), IDLE_MS)
  function closeIdle(): void {
    server.closeIdleConnections()
    // To Node a connection waits for its first request from the beginning, and is not idle.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
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
