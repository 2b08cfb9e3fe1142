import { connect, type Socket } from 'node:net'
import type pg from 'pg'

const TIMEOUT_MS = 2000
const CANCEL_REQUEST_CODE = (1234 << 16) | 5678

interface BackendKey {
  readonly processID: number | null
  readonly secretKey: number | null
  readonly host: string
  readonly port: number
  readonly connection: { readonly stream: Socket }
}

/**
 * Asks the server, over a connection of its own, to cancel what runs on this client's connection.
 * @param isStillRunning asked again once that connection stands: what is not running any more needs no cancelling
 * @returns settles when the server has passed the request on, or cannot; never rejects
 */
export function sendCancelRequest(client: pg.Client, isStillRunning: () => boolean): Promise<void> {
  const { processID, secretKey, host, port, connection } = client as unknown as BackendKey
  return new Promise((resolve) => {
    const { remoteAddress, remotePort } = connection.stream
    const isLocal = host.startsWith('/')
    // The same address that the connection has: a name may stand for several servers.
    const socket = isLocal ? connect(`${host}/.s.PGSQL.${port}`) : connect(remotePort ?? port, remoteAddress ?? host)
    // Of all of it: a server that goes on sending is never idle.
    const overdue = setTimeout(() => socket.destroy(), TIMEOUT_MS)
    socket.once('error', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(overdue)
      resolve()
    })
    socket.once('connect', () => {
      if (processID === null || secretKey === null || !isStillRunning()) {
        socket.destroy()
        return
      }
      const message = Buffer.alloc(16)
      message.writeInt32BE(16, 0)
      message.writeInt32BE(CANCEL_REQUEST_CODE, 4)
      message.writeInt32BE(processID, 8)
      message.writeInt32BE(secretKey, 12)
      // The server closes its end when the signal is sent.
      socket.write(message)
      socket.resume()
    })
  })
}
