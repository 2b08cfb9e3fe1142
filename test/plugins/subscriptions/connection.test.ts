import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { WebSocket } from 'ws'
import { SvcError } from '../../../core/doors/plugin.ts'
import { closeReason } from '../../../plugins/subscriptions/connection/close-codes.ts'
import { codecFor } from '../../../plugins/subscriptions/connection/codec.ts'
import { Connection } from '../../../plugins/subscriptions/connection/connection.ts'
import type { ConnectionParts } from '../../../plugins/subscriptions/connection/connection-parts.ts'
import { SocketOperation } from '../../../plugins/subscriptions/connection/socket-operation.ts'
import { until } from './shop.ts'

/** Of a service that never says who asks. */
const parts = {
  enter: () => new Promise(() => {}),
  options: { init_timeout_ms: 60_000, max_buffered_bytes: 1024, max_message_bytes: 4096 },
  credentialHeaders: () => [],
  left() {},
  toPublicError: ({ message, code }: SvcError) => ({ message, code, status: 401 }),
} as unknown as ConnectionParts

t.test('messages before authentication are bounded, including ends of operations', (t) => {
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

  closed.length = 0
  const long = new Connection(
    Object.assign(socket.removeAllListeners(), {}) as unknown as WebSocket,
    codecFor(['graphql-ws'])!,
    { headers: {}, address: '' },
    parts,
  )
  say({ type: 'connection_init' })
  for (let n = 0; n < 4; n++) say({ type: 'start', id: `${n}`, payload: { query: 'q'.repeat(900) } })
  t.equal(long.isOver, false)
  say({ type: 'start', id: '4', payload: { query: 'q'.repeat(900) } })
  t.same([long.isOver, closed], [true, [4401]], 'together they are no longer than one message may be')
  t.end()
})

t.test('memory of operations is bounded, and released at their end', async (t) => {
  const one = talk({})
  one.say({ type: 'connection_init' })
  await until(() => one.sent.length === 1, 'it is let in')
  const begin = (id: string) => one.say({ type: 'subscribe', id, payload: { query: 'q'.repeat(3900) } })
  for (let n = 0; n < 40; n++) {
    begin('again')
    one.say({ type: 'complete', id: 'again' })
  }
  for (let n = 0; n < 16; n++) begin(`${n}`)
  t.same(one.closed, [])
  begin('16')
  t.same(one.closed, [[4400, 'Too many operations at once']])
  t.equal(one.connection.isOver, true)

  const many = talk({ max_message_bytes: 1_000_000 })
  many.say({ type: 'connection_init' })
  await until(() => many.sent.length === 1, 'it is let in')
  for (let n = 0; n < 10_000; n++) many.say({ type: 'subscribe', id: `${n}`, payload: {} })
  t.same(many.closed, [])
  many.say({ type: 'subscribe', id: 'more', payload: {} })
  t.same(many.closed, [[4400, 'Too many operations at once']], 'ten thousand of one client')
})

/** A client that says and answers what the test wants. */
function talk(options: object, protocol = 'graphql-transport-ws', more: object = {}) {
  const sent: string[] = []
  const closed: unknown[] = []
  const state = { isTerminated: false, pings: 0 }
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (text: string | Buffer) => void sent.push(String(text)),
    close: (code: number, reason: string) => void closed.push([code, reason]),
    ping: () => void state.pings++,
    terminate: () => (state.isTerminated = true),
  })
  const known = {
    ...parts,
    options: { ...parts.options, ...options },
    // Whoever asks for something is never answered.
    enter: async (given: { signal?: AbortSignal }, handler: (ctx: unknown) => unknown) =>
      given.signal === undefined ? handler({ auth: null }) : new Promise(() => {}),
    isClosed: () => false,
    counted() {},
    subscriptions: { connected: () => () => {}, watch: () => () => {} },
    ...more,
  } as unknown as ConnectionParts
  const from = { headers: {}, address: '' }
  const connection = new Connection(socket as unknown as WebSocket, codecFor([protocol])!, from, known)
  const say = (message: object) => socket.emit('message', Buffer.from(JSON.stringify(message)), false)
  return { connection, socket, say, sent, closed, state }
}

t.test('a connection without an init message in time is closed', async (t) => {
  const silent = talk({ init_timeout_ms: 20 })
  const known = talk({ init_timeout_ms: 20 })
  known.say({ type: 'connection_init' })
  await until(() => silent.closed.length > 0, 'it is closed')
  t.same(silent.closed, [[4408, 'Connection initialisation timeout']])
  await sleep(40)
  t.same([known.closed, known.sent], [[], ['{"type":"connection_ack"}']])
})

t.test('pings are sent before and after authentication', async (t) => {
  for (const [protocol, word, first] of [
    ['graphql-transport-ws', '{"type":"ping"}', 1],
    ['graphql-ws', '{"type":"ka"}', 2],
  ] as const) {
    const one = talk({}, protocol)
    one.connection.beat()
    t.same([one.sent, one.state.pings], [[], 0], 'before its first word it has a timer of its own')
    one.say({ type: 'connection_init' })
    await until(() => one.sent.length === first, 'it is let in')
    one.connection.beat()
    t.same([one.sent.at(-1), one.state.pings], [word, 1])
    one.socket.emit('pong')
    one.connection.beat()
    one.say({ type: protocol === 'graphql-ws' ? 'stop' : 'pong', id: '1' })
    one.connection.beat()
    t.equal(one.state.isTerminated, false, 'a pong of the socket, a word of the protocol: each is a sign')
    one.connection.beat()
    t.equal(one.state.isTerminated, true)
  }
})

t.test('an operation that cannot continue closes its connection with 1012', async (t) => {
  const one = talk({})
  one.say({ type: 'connection_init' })
  await until(() => one.sent.length === 1, 'it is let in')
  new SocketOperation('1', one.connection, parts).away()
  t.same([one.closed, one.connection.isOver], [[[1012, 'What was subscribed cannot go on: connect again']], true])
})

t.test('an operation that fails before it begins gets the error', (t) => {
  const sent: string[] = []
  const codec = codecFor(['graphql-transport-ws'])!
  const owner = {
    id: 'c',
    codec,
    isSlow: false,
    send: (text: string | Buffer) => void sent.push(String(text)),
    close() {},
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

t.test('a message that our code fails on ends its own connection, and the error is reported', async (t) => {
  const broken = new RangeError('Maximum call stack size exceeded')
  const reported: unknown[] = []
  const toPublicError = (error: unknown) => {
    reported.push(error)
    return { message: 'An internal error occurred.', code: 'INTERNAL_SERVER_ERROR', status: 500 }
  }
  const fail = () => {
    throw broken
  }
  const init = talk({}, 'graphql-transport-ws', { toPublicError, counted: fail })
  init.say({ type: 'connection_init' })
  const ping = talk({}, 'graphql-transport-ws', { toPublicError })
  ping.socket.send = fail
  ping.say({ type: 'ping' })
  const subscribe = talk({}, 'graphql-transport-ws', {
    toPublicError,
    enter: async ({ signal }: { signal?: AbortSignal }, handler: (ctx: unknown) => unknown) =>
      signal === undefined ? handler({ auth: null }) : fail(),
  })
  subscribe.say({ type: 'connection_init' })
  await until(() => subscribe.sent.length === 1, 'it is let in')
  subscribe.say({ type: 'subscribe', id: '1', payload: {} })
  for (const one of [init, ping, subscribe]) {
    await until(() => one.closed.length > 0, 'it is closed')
    t.same([one.closed, one.connection.isOver], [[[1011, 'An internal error occurred.']], true])
  }
  t.strictSame(reported, [broken, broken, broken])
})

t.test('a reason is cut to 123 bytes at the end of a character, and costs no more for a longer text', (t) => {
  t.equal(closeReason('short'), 'short')
  t.equal(closeReason('a'.repeat(123)), 'a'.repeat(123))
  t.equal(closeReason('a'.repeat(124)), 'a'.repeat(123))
  t.equal(closeReason('é'.repeat(62)), 'é'.repeat(61))
  t.equal(closeReason(`a${'😀'.repeat(40)}`), `a${'😀'.repeat(30)}`)
  t.equal(closeReason(`${'a'.repeat(123)}😀`), 'a'.repeat(123))
  const started = performance.now()
  closeReason('x'.repeat(900_000))
  t.ok(performance.now() - started < 50, 'the rest is not measured')
  t.end()
})
