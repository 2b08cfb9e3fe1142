import { EventEmitter } from 'node:events'
import t from 'tap'
import type { WebSocket } from 'ws'
import { SvcError } from '../../../core/index.ts'
import { codecFor } from '../../../plugins/subscriptions/connection/codec.ts'
import { Connection } from '../../../plugins/subscriptions/connection/connection.ts'
import type { ConnectionParts } from '../../../plugins/subscriptions/connection/connection-parts.ts'
import { SocketOperation } from '../../../plugins/subscriptions/connection/socket-operation.ts'

/** Of a service that never says who asks. */
const parts = {
  enter: () => new Promise(() => {}),
  options: { init_timeout_ms: 60_000, max_buffered_bytes: 1024 },
  keyHeader: null,
  left() {},
  toPublicError: ({ message, code }: SvcError) => ({ message, code, status: 401 }),
} as unknown as ConnectionParts

t.test('what is said before it is known who asks is bounded, ends of operations too', (t) => {
  const closed: number[] = []
  const socket = Object.assign(new EventEmitter(), { close: (code: number) => void closed.push(code) })
  const connection = new Connection(
    socket as unknown as WebSocket,
    codecFor(['graphql-ws'])!,
    { headers: {}, address: '' },
    parts,
  )
  const say = (message: object) => socket.emit('message', Buffer.from(JSON.stringify(message)), false)
  say({ type: 'connection_init' })
  say({ type: 'start', id: '1', payload: { query: '{ a }' } })
  for (let n = 1; n < 100; n++) say({ type: 'stop', id: '1' })
  t.equal(connection.isOver, false)
  say({ type: 'stop', id: '1' })
  t.same([connection.isOver, closed], [true, [4401]])
  t.end()
})

t.test('an operation that fails before it has begun is told why', (t) => {
  const sent: string[] = []
  const codec = codecFor(['graphql-transport-ws'])!
  const owner = {
    id: 'c',
    codec,
    isSlow: false,
    send: (text: string | Buffer) => void sent.push(String(text)),
    count() {},
    left() {},
  }
  new SocketOperation('7', owner, parts).fail(new SvcError('UNAUTHENTICATED', 'The token has expired.'))
  const payload = [{ message: 'The token has expired.', extensions: { code: 'UNAUTHENTICATED', statusCode: 401 } }]
  t.same(
    sent.map((text) => JSON.parse(text)),
    [{ id: '7', type: 'error', payload }],
  )
  t.end()
})
