import { connect, createServer, type Server, type Socket } from 'node:net'
import type { TestLike } from './services.ts'

/** A TCP proxy whose cable can be cut. */
export interface TcpProxy {
  readonly port: number
  /** Cuts what is connected and refuses newcomers until `mend`. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Lets nothing through any more, without telling anybody. */
  freeze(): void
  thaw(): void
  /** What is connected hears nothing more, for ever, and is not told; newcomers get through. */
  lose(): void
  /** Sends bytes to the clients as if they came from the server. */
  inject(bytes: Buffer): void
}

/** Starts a proxy to `host:port`, closed when the test ends. */
export async function createTcpProxy(t: TestLike, host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  let frozen = false
  function start(at: number): Promise<Server> {
    const server = createServer((client) => {
      const upstream = connect(port, host)
      clients.add(client)
      client.on('close', () => clients.delete(client))
      for (const socket of [client, upstream]) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
        if (frozen) socket.pause()
      }
      client.on('data', (chunk) => upstream.write(chunk))
      upstream.on('data', (chunk) => client.write(chunk))
    })
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(at, '127.0.0.1', () => resolve(server))
    })
  }
  let server = await start(0)
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : 0
  async function cut(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  t.teardown(cut)
  return {
    port: own,
    cut,
    async mend() {
      server = await start(own)
    },
    freeze() {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    lose() {
      for (const socket of sockets) socket.pause()
    },
    inject(bytes) {
      for (const client of clients) client.write(bytes)
    },
  }
}
