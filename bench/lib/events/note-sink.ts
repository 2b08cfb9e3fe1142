import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** A receiver of webhooks that answers at once. */
export interface NoteSink {
  readonly url: string
  readonly host: string
  readonly count: number
  /** Since `clear`, in milliseconds. */
  readonly latencies: readonly number[]
  clear(): void
  close(): Promise<void>
}

const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n'
const END_OF_HEAD = '\r\n\r\n'

/**
 * Reads just so much of HTTP as a call of svc has: the receiver shares the machine with what is measured, and a server of Node's takes as
 * much of it as the sender.
 */
export async function openNoteSink(): Promise<NoteSink> {
  let count = 0
  let latencies: number[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    let text = ''
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      for (;;) {
        const head = text.indexOf(END_OF_HEAD)
        if (head === -1) return
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head + 2))?.[1] ?? 0)
        const end = head + END_OF_HEAD.length + length
        if (text.length < end) return
        const now = performance.timeOrigin + performance.now()
        count++
        latencies.push(now - Number(/"written":([\d.]+)/.exec(text)?.[1]))
        text = text.slice(end)
        socket.write(ANSWER)
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}`,
    get count() {
      return count
    },
    get latencies() {
      return latencies
    },
    clear() {
      count = 0
      latencies = []
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
