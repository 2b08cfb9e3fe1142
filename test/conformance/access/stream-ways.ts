import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { TestLike } from '../../helpers/services.ts'
import { openStream } from '../../plugins/sse/streams.ts'

/** Every transport that tells of changes. */
export type StreamWay = 'GraphQL over WebSocket' | 'GraphQL over SSE' | 'REST over SSE'

/** A stream of changes as one caller hears it. */
export interface HeardStream {
  /** All that it was told, without the space between. */
  text(): string
  /** Has the service refused or ended it? */
  isOver(): boolean
  end(): void
}

type Open = (t: TestLike, url: string, headers: Record<string, string>) => Promise<HeardStream>

const SUBSCRIPTION = 'subscription { bookChanged { id title owner } }'

const byEvents =
  (path: string): Open =>
  async (t, url, headers) => {
    const stream = await openStream(t, { url }, path, headers)
    let isOver = false
    const over = (): void => {
      isOver = true
    }
    stream.over.then(over, over)
    return {
      text: () => `${stream.status} ${stream.text}`,
      isOver: () => isOver || stream.status !== 200,
      end: stream.end,
    }
  }

const bySocket: Open = async (t, url, headers) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, ['graphql-transport-ws'], { headers })
  t.teardown(() => socket.terminate())
  const told: string[] = []
  let isOver = false
  const over = (said: string): void => {
    told.push(said)
    isOver = true
  }
  socket.on('error', (error) => over(String(error)))
  socket.on('close', (code, reason) => over(`${code} ${reason}`))
  socket.on('message', (data) => {
    const { type, payload } = JSON.parse(String(data)) as { readonly type: string; readonly payload?: unknown }
    if (type === 'connection_ack') {
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: SUBSCRIPTION } }))
    } else if (type !== 'ping') told.push(JSON.stringify(payload ?? type))
    if (type === 'error' || type === 'complete') isOver = true
  })
  await once(socket, 'open').catch(() => {})
  if (!isOver) socket.send('{"type":"connection_init"}')
  return { text: () => told.join('\n'), isOver: () => isOver, end: () => socket.terminate() }
}

export const STREAM_WAYS: Readonly<Record<StreamWay, Open>> = {
  'GraphQL over WebSocket': bySocket,
  'GraphQL over SSE': byEvents(`/graphql/stream?query=${encodeURIComponent(SUBSCRIPTION)}`),
  'REST over SSE': byEvents('/rest/v1/books/stream'),
}
