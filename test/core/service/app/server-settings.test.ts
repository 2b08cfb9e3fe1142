import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { HttpExchange } from '../../../../core/contract/http-exchange.ts'
import type { Reply } from '../../../../core/contract/reply.ts'
import { createBareApp } from '../../../helpers/bare-app.ts'
import { entry, plugin } from '../../../helpers/kernel.ts'

const ok: Reply = { status: 200, headers: {}, body: 'ok' }

/** Routes that answer at once, when the body is there, when they are told to stop, and never. */
const routes = entry(
  plugin('routes', (scope) => {
    scope.route({ method: 'GET', path: '/ok', handler: () => ok })
    scope.route({
      method: 'POST',
      path: '/echo',
      handler: async (ctx) => ({ status: 200, headers: {}, body: await ctx.readBody() }),
    })
    const untilAborted = (ctx: HttpExchange): Promise<Reply> =>
      new Promise((resolve) => {
        ctx.onAbort(() => resolve({ status: 200, headers: {}, body: ctx.abortReason }))
      })
    scope.route({ method: 'GET', path: '/slow', handler: untilAborted })
    scope.route({ method: 'GET', path: '/never', handler: () => new Promise(() => {}) })
  }),
)

/** A raw connection and what it got. */
async function dial(url: string): Promise<{ socket: Socket; got: () => string; ended: Promise<number> }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (chunk) => (text += chunk))
  socket.on('error', (error) => (text += `[${(error as NodeJS.ErrnoException).code}]`))
  const ended = once(socket, 'close').then(() => performance.now())
  await once(socket, 'connect')
  return { socket, got: () => text, ended }
}

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

/** Waits for what must come, however busy the machine is. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}

t.test('server.request_timeout_ms', async (t) => {
  const app = await createBareApp(t, { plugins: [routes], server: { request_timeout_ms: 200 } })
  const url = await app.listen()
  const started = performance.now()
  t.equal(await (await fetch(`${url}/slow`)).text(), 'timeout')
  t.ok(performance.now() - started >= 190, 'not before')
})

t.test('server.keep_alive_secs', async (t) => {
  const app = await createBareApp(t, { plugins: [routes], server: { keep_alive_secs: 1 } })
  const { socket, got, ended } = await dial(await app.listen())
  socket.write(GET('/ok'))
  await until(() => got().endsWith('ok'))
  const answered = performance.now()
  const idle = (await ended) - answered
  t.ok(idle >= 900, `closed after ${Math.round(idle)} ms without a request`)
  // Node's own default is five seconds, ours 75.
  t.ok(idle < 4500, `closed after ${Math.round(idle)} ms without a request`)
  t.match(got(), /^HTTP\/1\.1 200 /)
})

t.test('server.max_body_bytes, on a socket and without one', async (t) => {
  const app = await createBareApp(t, { plugins: [routes], server: { max_body_bytes: 10 } })
  const url = await app.listen()
  const post = (body: string) => fetch(`${url}/echo`, { method: 'POST', body })
  t.equal(await (await post('0123456789')).text(), '0123456789')
  t.equal((await post('0123456789a')).status, 413)
  t.equal((await app.inject({ method: 'POST', url: '/echo', body: '0123456789' })).status, 200)
  t.equal((await app.inject({ method: 'POST', url: '/echo', body: '0123456789a' })).status, 413)
})

t.test('server.shutdown_grace_ms: the listener stays open that long, readiness does not', async (t) => {
  const app = await createBareApp(t, { plugins: [routes], server: { shutdown_grace_ms: 600 } })
  const url = await app.listen()
  const started = performance.now()
  const closing = app.close()
  t.equal(app.kernel.process.draining, true)
  t.equal((await fetch(`${url}/ok`)).status, 200, 'a new connection')
  await closing
  t.ok(performance.now() - started >= 590, 'it waited')
  await t.rejects(fetch(`${url}/ok`))
})

t.test('server.shutdown_timeout_ms: what hangs is cut', async (t) => {
  const app = await createBareApp(t, { plugins: [routes], server: { shutdown_timeout_ms: 300 } })
  const { socket, got, ended } = await dial(await app.listen())
  socket.write(GET('/never'))
  await sleep(100)
  const started = performance.now()
  await app.close()
  t.ok((await ended) - started >= 290, 'not before')
  t.equal(got().replace(/\[ECONNRESET\]/, ''), '', 'no answer')
})
