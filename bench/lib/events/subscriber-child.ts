/** Clients of subscriptions, in a process of their own: started by `subscribers.ts`, which it talks to. */
import { WebSocket } from 'ws'

/** Task of the clients. */
export interface SubscriberJob {
  readonly url: string
  readonly count: number
  readonly query: string
}

/** Events received since the last request. */
export interface Heard {
  readonly messages: number
  /** Milliseconds since 1970, of the first message and of the last. */
  readonly first: number
  readonly last: number
  /** Latency from `written` of the note to its arrival, in milliseconds, for the first clients. */
  readonly latencies: readonly number[]
}

const AT_ONCE = 100
const MOST_LATENCIES = 100_000

let messages = 0
let first = 0
let last = 0
let latencies: number[] = []

process.on('message', (asked: SubscriberJob | 'report') => {
  if (asked !== 'report') return void begin(asked)
  process.send!({ messages, first, last, latencies } satisfies Heard)
  messages = 0
  latencies = []
})
process.on('disconnect', () => process.exit())

async function begin({ url, count, query }: SubscriberJob): Promise<void> {
  let left = count
  const work = async (): Promise<void> => {
    while (left > 0) {
      left--
      await subscribe(url, query)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  process.send!('ready')
}

function subscribe(url: string, query: string): Promise<void> {
  const text = JSON.stringify({ id: '1', type: 'subscribe', payload: { query } })
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false })
    socket.on('error', reject)
    socket.on('close', (code, reason) => reject(new Error(`closed with ${code} ${reason}`)))
    socket.on('open', () => socket.send('{"type":"connection_init"}'))
    socket.on('message', (data: Buffer) => {
      const message = data.toString()
      if (message.includes('"connection_ack"')) {
        socket.send(text)
        // Answered in its turn: by then the subscription stands.
        socket.send('{"type":"ping"}')
      } else if (message.includes('"type":"next"')) hear(message)
      else if (message.includes('"type":"pong"')) setTimeout(resolve, 50)
      else if (message.includes('"type":"error"')) reject(new Error(message))
    })
  })
}

function hear(message: string): void {
  const now = performance.timeOrigin + performance.now()
  if (messages++ === 0) first = now
  last = now
  const written = /"written":([\d.]+)/.exec(message)?.[1]
  if (written === undefined) throw new Error(`a message without a note: ${message}`)
  if (latencies.length < MOST_LATENCIES) latencies.push(now - Number(written))
}
