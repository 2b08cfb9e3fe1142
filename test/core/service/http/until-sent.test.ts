import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { HttpExchange } from '../../../../core/contract/http-exchange.ts'
import type { Reply } from '../../../../core/contract/reply.ts'
import type { ServerSettings } from '../../../../core/service/http/server.ts'
import { serve } from './http-fixture.ts'

const SIZE = 30_000_000

/** A server with one route, and the exchange that it had. */
async function serveOne(
  t: Parameters<typeof serve>[0],
  body: Reply['body'],
  settings: Partial<ServerSettings> = {},
  about: Pick<Reply, 'saysWhy'> = {},
) {
  const seen: HttpExchange[] = []
  const handler = (ctx: HttpExchange): Reply => {
    seen.push(ctx)
    if (ctx.queryString === 'open') ctx.liftDeadline()
    return { status: 200, headers: {}, body, ...about }
  }
  const { url, server } = await serve(t, [{ method: 'GET', path: '/one', handler }], settings)
  return { url, server, seen }
}

/** A client that asks and reads nothing but what it is told to. */
async function ask(url: string, path = '/one'): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  return socket
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5)
}

t.test('a client that leaves in the middle of a stream ends its source', async (t) => {
  const source = new PassThrough()
  const { url, seen } = await serveOne(t, source)
  const socket = await ask(url)
  await until(() => seen.length === 1)
  source.write('a part')
  socket.resume()
  await once(socket, 'data')
  t.notOk(seen[0]?.aborted)
  const aborted = new Promise<number>((resolve) => seen[0]?.onAbort(() => resolve(performance.now())))
  const left = performance.now()
  socket.destroy()
  const [at] = await Promise.all([aborted, new Promise((resolve) => source.once('close', resolve))])
  t.ok(source.destroyed)
  t.equal(seen[0]?.abortReason, 'client')
  t.comment(`heard of it after ${Math.round(at - left)} ms`)
})

t.test('a stream that outlives the deadline is cut, unless it has none', async (t) => {
  const source = new PassThrough()
  const { url, seen } = await serveOne(t, source, { requestTimeoutMs: 100 })
  source.write('a part')
  const reply = await fetch(`${url}/one`)
  await t.rejects(reply.text())
  await until(() => source.destroyed)
  t.equal(seen[0]?.abortReason, 'timeout')

  const endless = new PassThrough()
  const other = await serveOne(t, endless, { requestTimeoutMs: 50 })
  endless.write('a part')
  const open = await fetch(`${other.url}/one?open`)
  await sleep(250)
  endless.end(', and the rest')
  t.equal(await open.text(), 'a part, and the rest')
  t.notOk(other.seen[0]?.aborted)
})

t.test('a stream that says why it ends has its last word, and not for ever', async (t) => {
  const source = new PassThrough()
  const { url, seen } = await serveOne(t, source, { requestTimeoutMs: 100 }, { saysWhy: true })
  source.write('a part')
  const reply = await fetch(`${url}/one`)
  await until(() => seen[0]?.aborted === true)
  source.end(', and why')
  t.equal(await reply.text(), 'a part, and why')

  const mute = new PassThrough()
  const other = await serveOne(t, mute, { requestTimeoutMs: 100 }, { saysWhy: true })
  mute.write('a part')
  const cut = await fetch(`${other.url}/one`)
  await t.rejects(cut.text())
  t.equal(other.seen[0]?.abortReason, 'timeout')
  await until(() => mute.destroyed)
})

t.test('large replies that the client does not read are cut at the deadline, and end with the client', async (t) => {
  const { url, seen } = await serveOne(t, Buffer.alloc(SIZE), { requestTimeoutMs: 200 })
  const slow = await ask(url)
  t.teardown(() => slow.destroy())
  await until(() => seen[0]?.aborted === true)
  t.equal(seen[0]?.abortReason, 'timeout')

  const patient = await serveOne(t, 'x'.repeat(SIZE))
  const gone = await ask(patient.url)
  await until(() => patient.seen.length === 1)
  await sleep(20)
  t.notOk(patient.seen[0]?.aborted, 'it is in flight as long as bytes are left')
  gone.destroy()
  await until(() => patient.seen[0]?.aborted === true)
  t.equal(patient.seen[0]?.abortReason, 'client')
})

t.test('a sent reply is not in flight any more', async (t) => {
  const { url, seen } = await serveOne(t, Readable.from(['all', ' of it']), { requestTimeoutMs: 100 })
  const reply = await fetch(`${url}/one`, { headers: { connection: 'close' } })
  t.equal(await reply.text(), 'all of it')
  const large = await serveOne(t, Buffer.alloc(SIZE), { requestTimeoutMs: 10_000 })
  t.equal(
    (await (await fetch(`${large.url}/one`, { headers: { connection: 'close' } })).arrayBuffer()).byteLength,
    SIZE,
  )
  await sleep(400)
  t.notOk(seen[0]?.aborted, 'neither the deadline nor the closed connection ends it')
  t.notOk(large.seen[0]?.aborted)
})

t.test('a stream without a client, or after the deadline, is destroyed', async (t) => {
  const sources: Readable[] = []
  const seen: HttpExchange[] = []
  const handler = (ctx: HttpExchange): Promise<Reply> =>
    new Promise((resolve) => {
      seen.push(ctx)
      ctx.onAbort(() => {
        const body = new PassThrough()
        sources.push(body)
        resolve({ status: 200, headers: {}, body })
      })
    })
  const { url } = await serve(t, [{ method: 'GET', path: '/late', handler }], { requestTimeoutMs: 150 })
  const socket = await ask(url, '/late')
  await until(() => seen.length === 1)
  socket.destroy()
  await until(() => sources[0]?.destroyed === true)
  t.equal(seen[0]?.abortReason, 'client')
  await t.rejects(fetch(`${url}/late`))
  await until(() => sources[1]?.destroyed === true)
  t.equal(seen[1]?.abortReason, 'timeout')
})

t.test('the end of the process waits for a stream', async (t) => {
  const source = new PassThrough()
  const { url, server } = await serveOne(t, source, { shutdownTimeoutMs: 60_000 })
  source.write('a part')
  const reply = await fetch(`${url}/one`)
  let closed = false
  const closing = server.close().then(() => (closed = true))
  await sleep(200)
  t.notOk(closed)
  source.end(', and the rest')
  t.equal(await reply.text(), 'a part, and the rest')
  await closing
})
