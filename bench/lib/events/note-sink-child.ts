/** A receiver of webhooks that answers at once, in a process of its own: started by `note-sink.ts`, which it talks to. */
import { type AddressInfo, createServer } from 'node:net'
import type { Received } from './note-sink.ts'

const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n'
const END_OF_HEAD = '\r\n\r\n'

let count = 0
let latencies: number[] = []

// Just so much of HTTP as a call of svc has: a server of Node's takes as much of the machine as the sender.
const server = createServer({ noDelay: true }, (socket) => {
  let text = ''
  socket.on('error', () => {})
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
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))

process.on('message', () => {
  process.send!({ count, latencies } satisfies Received)
  count = 0
  latencies = []
})
process.on('disconnect', () => process.exit())
