import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { loadTls } from '../../../../core/service/http/tls.ts'
import { serve } from './http-fixture.ts'
import { makePair } from './tls-pair.ts'

interface Dialled {
  readonly socket: Socket
  readonly got: () => string
  readonly closed: Promise<{ readonly at: number; readonly error: string | null }>
}

/** A connection for raw bytes, what it got, and how it ended. */
async function dial(url: string): Promise<Dialled> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let error: string | null = null
  socket.on('data', (chunk) => (received += chunk))
  socket.on('error', (failure: NodeJS.ErrnoException) => (error = failure.code ?? failure.message))
  const closed = new Promise<{ at: number; error: string | null }>((done) =>
    socket.once('close', () => done({ at: performance.now(), error })),
  )
  await once(socket, 'connect')
  return { socket, got: () => received, closed }
}

t.test('shutdown lets requests finish, tells clients to reconnect, and refuses new ones', async (t) => {
  let release: (() => void) | null = null
  const { url, server } = await serve(
    t,
    [
      {
        method: 'GET',
        path: '/slow',
        handler: () =>
          new Promise((resolve) => {
            release = () => resolve({ status: 200, headers: {}, body: 'done' })
          }),
      },
      { method: 'GET', path: '/quick', handler: () => ({ status: 200, headers: {}, body: 'quick' }) },
    ],
    { shutdownGraceMs: 1000, shutdownTimeoutMs: 60_000 },
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const slow = fetch(`${url}/slow`)
  while (release === null) await sleep(5)
  let closed = false
  const closing = server.close().then(() => (closed = true))
  const during = request(`${url}/quick`, { agent })
  during.end()
  const [reply] = await once(during, 'response')
  t.equal(reply.headers.connection, 'close', 'kept-alive connections are told')
  t.equal(await text(reply), 'quick', 'the grace period still serves')
  // However long it takes on a busy machine: the listener goes while the request is in flight.
  const isServing = () =>
    fetch(`${url}/quick`).then(
      () => true,
      () => false,
    )
  while (await isServing()) await sleep(20)
  t.equal(closed, false, 'it waits for the request in flight')
  ;(release as () => void)()
  t.equal(await (await slow).text(), 'done')
  await closing
})

t.test('a hanging request is cut at the timeout, and an idle connection ends at once', async (t) => {
  const { url, server } = await serve(
    t,
    [
      { method: 'GET', path: '/never', handler: () => new Promise(() => {}) },
      { method: 'GET', path: '/quick', handler: () => ({ status: 200, headers: {}, body: 'quick' }) },
    ],
    { shutdownGraceMs: 0, shutdownTimeoutMs: 1500 },
  )
  const hanging = await dial(url)
  hanging.socket.write('GET /never HTTP/1.1\r\nhost: x\r\n\r\n')
  const idle = await dial(url)
  idle.socket.write('GET /quick HTTP/1.1\r\nhost: x\r\n\r\n')
  while (!idle.got().endsWith('quick')) await sleep(5)
  await sleep(50)
  const started = performance.now()
  await server.close()
  const [cut, ended] = [await hanging.closed, await idle.closed]
  t.ok(cut.at - started >= 1490, 'it had its time')
  t.equal(hanging.got(), '')
  t.ok(cut.at - ended.at > 500, 'nobody waits for the one that hangs')
  t.equal(ended.error, null, 'and it is not reset')
})

for (const encrypted of [false, true]) {
  t.test(`a connection that has sent nothing ends at once${encrypted ? ', encrypted' : ''}`, async (t) => {
    const folder = encrypted ? makePair(t) : undefined
    if (folder === null) return
    const tls =
      folder === undefined
        ? null
        : await loadTls({ enabled: true, min_version: '1.2', cert_file: 'server.pem', key_file: 'server.key' }, folder)
    const { url, server } = await serve(t, [], { tls, shutdownGraceMs: 0, shutdownTimeoutMs: 10_000 })
    const silent = await dial(url)
    const greeted = encrypted ? connectTls({ port: Number(new URL(url).port), rejectUnauthorized: false }) : null
    if (greeted !== null) await once(greeted.resume(), 'secureConnect')
    const ended = greeted === null ? null : once(greeted, 'close')
    const started = performance.now()
    await server.close()
    t.ok(performance.now() - started < 5000)
    t.equal((await silent.closed).error, null, 'and it is not reset')
    await ended
  })
}

t.test('a request that is on its way on an idle connection when the server stops is answered', async (t) => {
  const { url, server } = await serve(
    t,
    [{ method: 'GET', path: '/quick', handler: () => ({ status: 200, headers: {}, body: 'quick' }) }],
    { shutdownGraceMs: 0 },
  )
  const request = 'GET /quick HTTP/1.1\r\nhost: x\r\n\r\n'
  const [used, late, fresh] = [await dial(url), await dial(url), await dial(url)]
  for (const { socket, got } of [used, late]) {
    socket.write(request)
    while (!got().endsWith('quick')) await sleep(5)
  }
  await sleep(50)
  const closing = server.close()
  for (const { socket } of [used, fresh]) socket.write(request)
  // The listener is closed by now; connections that have nothing in flight are ended a moment later.
  await sleep(10)
  late.socket.write(request)
  await closing
  for (const [name, { got, closed }] of Object.entries({ used, late, fresh })) {
    t.equal((await closed).error, null, name)
    t.equal(got().match(/HTTP\/1\.1 200/g)?.length, name === 'fresh' ? 1 : 2, name)
    t.match(got(), /HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close[\s\S]*quick$/i)
  }
})

/** Connects as often as that and sends a request on each, from a thread of its own. */
const CROWD = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, count, connected } } = require('node:worker_threads')
let left = count
const answers = {}
const done = (answer) => {
  answers[answer] = (answers[answer] ?? 0) + 1
  if (--left === 0) parentPort.postMessage(answers)
}
for (let i = 0; i < count; i++) {
  let text = ''
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('GET /ok HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n')
    Atomics.add(connected, 0, 1)
    Atomics.notify(connected, 0)
  })
  socket.on('data', (chunk) => (text += chunk))
  socket.on('error', ({ code }) => (text = code))
  socket.on('close', () => done(text.split('\\r\\n')[0]))
}
`

t.test('connections that wait in the backlog when the server stops are answered, not reset', async (t) => {
  const ok = { method: 'GET' as const, path: '/ok', handler: () => ({ status: 200, headers: {}, body: 'ok' }) }
  const { url, server } = await serve(t, [ok], { shutdownGraceMs: 0 })
  const count = 200
  const connected = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { port: Number(new URL(url).port), count, connected }
  const crowd = new Worker(CROWD, { eval: true, workerData })
  const answers = new Promise((resolve, reject) => crowd.once('message', resolve).once('error', reject))
  await new Promise((resolve) => crowd.once('online', resolve))
  // The process is busy while they connect.
  for (let seen = 0; seen < count; seen = Atomics.load(connected, 0)) Atomics.wait(connected, 0, seen, 10_000)
  await server.close()
  t.strictSame(await answers, { 'HTTP/1.1 200 OK': count })
})
