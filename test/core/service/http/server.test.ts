import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import { LentText, WrappedText } from '../../../../core/base/util/lent-text.ts'
import type { HttpExchange } from '../../../../core/contract/http-exchange.ts'
import type { Reply } from '../../../../core/contract/reply.ts'
import type { PipelineParts } from '../../../../core/service/http/pipeline.ts'
import { echo, serve } from './http-fixture.ts'

const json = { 'content-type': 'application/json; charset=utf-8' }

/** Sends raw bytes and gives all that comes back. */
async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return text(socket)
}

t.test('answers strings, bytes, streams and nothing', async (t) => {
  const { url } = await serve(t, [
    { method: 'GET', path: '/ascii', handler: () => ({ status: 200, headers: {}, body: 'plain' }) },
    { method: 'GET', path: '/utf8', handler: () => ({ status: 200, headers: {}, body: 'Zoë Müller ✓' }) },
    { method: 'GET', path: '/bytes', handler: () => ({ status: 200, headers: {}, body: new Uint8Array([104, 105]) }) },
    { method: 'GET', path: '/stream', handler: () => ({ status: 200, headers: {}, body: Readable.from(['a', 'b']) }) },
    { method: 'GET', path: '/none', handler: () => ({ status: 204, headers: {}, body: null }) },
    {
      method: 'GET',
      path: '/users/:id',
      handler: (ctx) => ({ status: 200, headers: {}, body: `user ${ctx.params.id}` }),
    },
  ])
  const ask = async (path: string) => (await fetch(url + path)).text()
  t.equal(await ask('/ascii'), 'plain')
  t.equal(await ask('/utf8'), 'Zoë Müller ✓')
  t.equal(await ask('/bytes'), 'hi')
  t.equal(await ask('/stream'), 'ab')
  t.equal((await fetch(`${url}/none`)).status, 204)
  t.equal(await ask('/users/a%20b'), 'user a b')
  const head = await fetch(`${url}/utf8`, { method: 'HEAD' })
  t.equal(head.headers.get('content-length'), String(Buffer.byteLength('Zoë Müller ✓')))
  t.equal(await head.text(), '')
})

t.test('a long text is sent once, to as many as keep it', async (t) => {
  const shared = new LentText(Buffer.from('"zoë"'.repeat(2000)))
  const kept = new LentText(Buffer.from('"zoë"'.repeat(2000)))
  kept.keep()
  const wrap = (text: LentText) => () => ({ status: 200, headers: {}, body: new WrappedText('[', text, ']') })
  const { url } = await serve(t, [
    { method: 'GET', path: '/shared', handler: wrap(shared) },
    { method: 'GET', path: '/kept', handler: wrap(kept) },
  ])
  const expected = `[${'"zoë"'.repeat(2000)}]`
  const head = await fetch(`${url}/shared`, { method: 'HEAD' })
  t.equal(head.headers.get('content-length'), String(Buffer.byteLength(expected)))
  t.equal(await (await fetch(`${url}/shared`)).text(), expected)
  const warned = once(process, 'warning')
  await t.rejects(fetch(`${url}/shared`), 'nothing of it is left')
  t.match((await warned)[0], { message: /was sent and its memory is released/ })
  for (let i = 0; i < 3; i++) t.equal(await (await fetch(`${url}/kept`)).text(), expected)
})

t.test('answers of one connection come whole and in order, however slowly they are read', async (t) => {
  const ascii = 'a'.repeat(300_000)
  const wide = 'zoë✓'.repeat(60_000)
  const bodies: Readonly<Record<string, () => Promise<Reply['body']>>> = {
    ascii: async () => ascii,
    // The ones behind it are ready long before it.
    late: () => sleep(50, 'late'),
    wide: async () => wide,
    lent: async () => new WrappedText('[', new LentText(Buffer.from(wide)), ']'),
    bytes: async () => new Uint8Array(Buffer.from(ascii)),
    empty: async () => '',
    none: async () => null,
  }
  const { url } = await serve(t, [
    {
      method: 'GET',
      path: '/:body',
      handler: async ({ params }) => ({ status: 200, headers: {}, body: await bodies[params.body!]!() }),
    },
  ])
  const expected: Readonly<Record<string, string>> = {
    ...{ ascii, late: 'late', wide, lent: `[${wide}]`, bytes: ascii, empty: '', none: '' },
  }
  const asked = ['late', 'ascii', 'wide', 'HEAD wide', 'lent', 'empty', 'late', 'none', 'bytes', 'wide', 'ascii']
  const lines = asked.map((one) => (one.startsWith('HEAD') ? 'HEAD /wide' : `GET /${one}`))
  const socket = connect(Number(new URL(url).port), new URL(url).hostname)
  t.teardown(() => socket.destroy())
  const last = lines.length - 1
  socket.write(
    lines
      .map((line, index) => `${line} HTTP/1.1\r\nhost: a\r\n${index === last ? 'connection: close\r\n' : ''}\r\n`)
      .join(''),
  )
  const chunks: Buffer[] = []
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer)
    await sleep(1)
  }
  let rest = Buffer.concat(chunks)
  for (const one of asked) {
    const end = rest.indexOf('\r\n\r\n') + 4
    const head = rest.toString('latin1', 0, end)
    t.match(head, /^HTTP\/1\.1 200 OK\r\n/)
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1])
    const body = expected[one.replace('HEAD ', '')]!
    t.equal(length, Buffer.byteLength(body), one)
    const size = one.startsWith('HEAD') ? 0 : length
    t.ok(rest.toString('utf8', end, end + size) === (size === 0 ? '' : body), `${one} is what it was`)
    rest = rest.subarray(end + size)
  }
  t.equal(rest.length, 0)
})

t.test('says what is not there, and what is allowed', async (t) => {
  const ok = { method: 'GET' as const, path: '/ok', handler: () => ({ status: 200, headers: {}, body: 'ok' }) }
  const { url } = await serve(t, [echo, ok, { ...ok, method: 'DELETE' as const }])
  const missing = await fetch(`${url}/nowhere`)
  t.equal(missing.status, 404)
  t.match(await missing.json(), { error: { code: 'NOT_FOUND', message: 'There is nothing at /nowhere.', details: {} } })
  t.ok(missing.headers.get('x-request-id'), 'errors carry a request id')
  t.equal(missing.headers.get('cache-control'), 'no-store', 'no cache keeps an error')
  const wrong = await fetch(`${url}/echo`)
  t.equal(wrong.status, 405)
  t.equal(wrong.headers.get('allow'), 'POST')
  const put = await fetch(`${url}/ok`, { method: 'PUT' })
  t.equal(put.headers.get('allow'), 'GET, DELETE, HEAD', 'HEAD is answered by what answers GET')
})

t.test('every answer carries a request id, what is no HTTP as well', async (t) => {
  const ok = { method: 'GET' as const, path: '/ok', handler: () => ({ status: 200, headers: {}, body: 'ok' }) }
  const moved = { ...ok, path: '/moved', handler: () => ({ status: 302, headers: { location: '/ok' }, body: null }) }
  const stream = { ...ok, path: '/stream', handler: () => ({ status: 200, headers: {}, body: Readable.from(['a']) }) }
  const broken = { ...ok, path: '/broken', handler: () => Promise.reject(new Error('broken')) }
  const { url } = await serve(t, [echo, ok, moved, stream, broken, { ...ok, path: '/long/:id' }])
  const id = (head: string): string | undefined => /^x-request-id: (.+)$/im.exec(head)?.[1]
  for (const [method, path, status] of [
    ['GET', '/ok', 200],
    ['HEAD', '/ok', 200],
    ['GET', '/moved', 302],
    ['GET', '/stream', 200],
    ['GET', '/broken', 500],
    ['GET', '/nowhere', 404],
    ['OPTIONS', '/ok', 405],
    ['GET', `/${'x'.repeat(9000)}`, 414],
    ['GET', `/long/${'x'.repeat(5000)}`, 200],
  ] as const) {
    const head = (more: string) => `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`
    const made = await raw(url, head(''))
    t.match(made, new RegExp(`^HTTP/1\\.1 ${status} `), path.slice(0, 20))
    t.match(id(made), /^[0-9a-f-]{36}$/, `${method} ${path.slice(0, 20)}`)
    t.not(id(await raw(url, head(''))), id(made), 'each its own')
    t.equal(id(await raw(url, head('x-request-id: mine\r\n'))), 'mine')
  }
  for (const bytes of ['NOT HTTP\r\n\r\n', `GET /ok HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(40_000)}\r\n\r\n`]) {
    t.match(id(await raw(url, bytes)), /^[0-9a-f-]{36}$/, bytes.slice(0, 20))
  }
})

t.test('a client that goes while its body is read is no error of the service', async (t) => {
  const replies: Reply[] = []
  const observed: PipelineParts['onRequest'] = async (_ctx, next) => {
    const reply = await next()
    replies.push(reply)
    return reply
  }
  const { url, seen } = await serve(t, [echo], {}, observed)
  for (const head of ['content-length: 100', 'transfer-encoding: chunked']) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`POST /echo HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n5\r\nab`)
    await sleep(100)
    if (head.startsWith('c')) socket.destroy()
    else socket.resetAndDestroy()
  }
  while (replies.length < 2) await sleep(10)
  t.match(
    replies.map(({ status, body }) => [status, JSON.parse(String(body))]),
    [499, 499].map((status) => [status, { error: { code: 'REQUEST_ERROR', details: { errorId: undefined } } }]),
  )
  t.strictSame(seen, [], 'nothing is in the log')
})

t.test('a request id of the client comes back when it is a fit one, else one is made', async (t) => {
  const { url } = await serve(t, [
    { method: 'GET', path: '/id', handler: (ctx) => ({ status: 200, headers: {}, body: ctx.id }) },
  ])
  const ask = async (id: string, path = '/id') => {
    const reply = await fetch(url + path, { headers: { 'x-request-id': id } })
    return { body: await reply.text(), id: reply.headers.get('x-request-id') }
  }
  const fit = ["abc-1._~!#$%&'*+^`|", 'x'.repeat(128)]
  for (const id of fit) t.strictSame(await ask(id), { body: id, id })
  t.equal((await ask('mine', '/nowhere')).id, 'mine')
  for (const id of ['x'.repeat(129), 'two words', 'a,b', 'a"b', '<script>', 'a=b', 'a/b', 'zo\u00eb']) {
    const answer = await ask(id)
    t.match(answer.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/, id)
    t.equal(answer.body, answer.id)
  }
})

t.test('an error that asks for a credential says which kind', async (t) => {
  const refuse = (code: string) => () => {
    throw new SvcError(code, 'No.')
  }
  const { url } = await serve(t, [
    { method: 'GET', path: '/401', handler: refuse('UNAUTHENTICATED') },
    { method: 'GET', path: '/403', handler: refuse('FORBIDDEN') },
  ])
  t.equal((await fetch(`${url}/401`)).status, 401)
  t.equal((await fetch(`${url}/401`)).headers.get('www-authenticate'), 'Bearer')
  t.equal((await fetch(`${url}/403`)).headers.get('www-authenticate'), null)
})

t.test('bounds the body, whether its length is declared or not', async (t) => {
  const { url } = await serve(t, [echo])
  t.equal(await (await fetch(`${url}/echo`, { method: 'POST', body: 'x'.repeat(1000) })).text(), 'x'.repeat(1000))
  const declared = await fetch(`${url}/echo`, { method: 'POST', body: 'x'.repeat(1001) })
  t.equal(declared.status, 413)
  t.match(await declared.json(), {
    error: { code: 'PAYLOAD_TOO_LARGE', message: /1000 bytes \(server\.max_body_bytes\)/ },
  })
  const chunked = await raw(
    url,
    `POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${'3e8\r\n'}${'x'.repeat(1000)}\r\n1\r\nx\r\n0\r\n\r\n`,
  )
  t.match(chunked, /^HTTP\/1\.1 413 /)
  t.match(chunked, /connection: close/i, 'an unread body ends the connection')
})

t.test('a malformed or too long request is refused with a reason', async (t) => {
  const { url } = await serve(t, [echo])
  t.match(await raw(url, 'NONSENSE\r\n\r\n'), /^HTTP\/1\.1 400 [\s\S]*REQUEST_ERROR/)
  t.match(await raw(url, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /)
  const long = await fetch(`${url}/${'a'.repeat(9000)}`)
  t.equal(long.status, 414)
  t.equal(((await long.json()) as { error: { code: string } }).error.code, 'URI_TOO_LONG')
})

t.test('an unexpected throw is an INTERNAL_SERVER_ERROR with an id, and the process goes on', async (t) => {
  const { url, seen } = await serve(t, [
    {
      method: 'GET',
      path: '/sync',
      handler: () => {
        throw new Error('secret SELECT 1')
      },
    },
    {
      method: 'GET',
      path: '/async',
      handler: async () => {
        throw new Error('secret')
      },
    },
    {
      method: 'GET',
      path: '/busy',
      handler: () => {
        throw new SvcError('SERVICE_UNAVAILABLE', 'Later.', { retryAfter: 2.2 })
      },
    },
    {
      method: 'GET',
      path: '/operator',
      handler: () => {
        throw new SvcError('SVC_BOOT_FAILED', 'secret')
      },
    },
    { method: 'GET', path: '/ok', handler: () => ({ status: 200, headers: json, body: '{}' }) },
  ])
  for (const path of ['/sync', '/async', '/operator']) {
    const reply = await fetch(url + path)
    t.equal(reply.status, 500)
    const body = await reply.text()
    t.notMatch(body, /secret/)
    const { error } = JSON.parse(body)
    t.equal(error.code, 'INTERNAL_SERVER_ERROR')
    t.ok(
      seen.some((s) => s.type === 'request-failed' && s.errorId === error.details.errorId),
      'the log can find it',
    )
  }
  const busy = await fetch(`${url}/busy`)
  t.equal(busy.status, 503)
  t.equal(busy.headers.get('retry-after'), '3')
  t.equal((await fetch(`${url}/ok`)).status, 200)
})

t.test('a malformed reply becomes a failure that names its plugin, and the process continues', async (t) => {
  const broken = (reply: unknown) => reply as Reply
  const { url, seen } = await serve(
    t,
    [
      { method: 'GET', path: '/nothing', handler: () => broken(undefined) },
      { method: 'GET', path: '/later', handler: async () => broken(undefined) },
      { method: 'GET', path: '/half', handler: async () => broken({ status: 200 }) },
      {
        method: 'GET',
        path: '/header',
        handler: async () => ({ status: 200, headers: { 'x-a': 'b\nc' }, body: null }),
      },
      { method: 'GET', path: '/ok', handler: async () => ({ status: 200, headers: json, body: '{}' }) },
    ],
    {},
    // Hooks that forget to return what next() gave.
    (ctx, next) => {
      if (ctx.queryString === 'hook') {
        next()
        return broken(undefined)
      }
      return ctx.queryString === 'hook-later' ? Promise.resolve(next()).then(() => broken(null)) : next()
    },
  )
  const causes: [path: string, cause: RegExp][] = [
    ['/nothing', /The handler of GET \/nothing gave no reply/],
    ['/later', /The handler of GET \/later gave no reply/],
    ['/half', /The handler of GET \/half gave no reply/],
    ['/ok?hook', /A hook of onRequest gave no reply/],
    ['/ok?hook-later', /A hook of onRequest gave no reply/],
  ]
  for (const [path, cause] of causes) {
    seen.length = 0
    t.equal((await fetch(url + path)).status, 500, path)
    t.match(seen, [{ type: 'request-failed', error: { message: cause } }], path)
  }
  const warned = new Promise((done) => process.once('warning', done))
  await t.rejects(fetch(`${url}/header`), 'a header that HTTP does not allow ends its connection only')
  t.match(await warned, /Invalid character in header content/)
  t.equal((await fetch(`${url}/ok`)).status, 200)
})

t.test('a client that goes away aborts its request', async (t) => {
  let aborted: HttpExchange | null = null
  const { url } = await serve(t, [
    {
      method: 'GET',
      path: '/slow',
      handler: (ctx) =>
        new Promise(() => {
          ctx.onAbort(() => {
            aborted = ctx
          })
        }),
    },
  ])
  const req = get(`${url}/slow`)
  req.on('error', () => {})
  await sleep(50)
  req.destroy()
  while (aborted === null) await sleep(10)
  t.equal((aborted as HttpExchange | null)?.abortReason, 'client')
})

t.test('a request that outlives its deadline is aborted', async (t) => {
  const { url } = await serve(
    t,
    [
      {
        method: 'GET',
        path: '/slow',
        handler: (ctx) =>
          new Promise((_, reject) => {
            ctx.onAbort(() => reject(new SvcError('TIMEOUT', 'The request took too long.')))
            t.notOk(ctx.signal.aborted)
          }),
      },
      echo,
    ],
    { requestTimeoutMs: 100 },
  )
  const reply = await fetch(`${url}/slow`)
  t.equal(reply.status, 504)
  t.equal(((await reply.json()) as { error: { code: string } }).error.code, 'TIMEOUT')
})

t.test('a body that does not arrive in time is 408, without effect on other requests', async (t) => {
  const { url } = await serve(t, [echo], { requestTimeoutMs: 150 })
  const stalled = await raw(url, 'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc')
  t.match(stalled, /^HTTP\/1\.1 408 Request Timeout\r\n/)
  t.match(stalled, /connection: close/i, 'what is left of the body would be taken for a request')
  t.match(stalled, /\r\n\r\n\{"error":\{"code":"REQUEST_TIMEOUT","message":"[^"]*server\.request_timeout_ms/)
  t.equal(await (await fetch(`${url}/echo`, { method: 'POST', body: 'whole' })).text(), 'whole')
})

t.test('a finished request has no deadline any more', async (t) => {
  const contexts: HttpExchange[] = []
  const { url } = await serve(
    t,
    [
      {
        method: 'GET',
        path: '/quick',
        handler: (ctx) => {
          contexts.push(ctx)
          return { status: 200, headers: {}, body: 'quick' }
        },
      },
    ],
    { requestTimeoutMs: 100 },
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  for (let i = 0; i < 3; i++) {
    const [reply] = await once(get(`${url}/quick`, { agent }), 'response')
    await text(reply)
  }
  await sleep(400)
  t.strictSame(
    contexts.map(({ aborted }) => aborted),
    [false, false, false],
  )
})

t.test('signal, read before or after the abort', async (t) => {
  const reasons: unknown[] = []
  const { url } = await serve(
    t,
    [
      {
        method: 'GET',
        path: '/slow',
        handler: (ctx) => {
          const early = ctx.queryString === 'early' ? ctx.signal : null
          return new Promise((resolve) => {
            ctx.onAbort(() => {
              const { aborted, reason } = early ?? ctx.signal
              const again = ctx.signal
              reasons.push([aborted, reason, again.aborted])
              resolve({ status: 200, headers: {}, body: '' })
            })
          })
        },
      },
    ],
    { requestTimeoutMs: 100 },
  )
  await fetch(`${url}/slow?early`)
  await fetch(`${url}/slow`)
  t.strictSame(reasons, [
    [true, 'timeout', true],
    [true, 'timeout', true],
  ])
})

t.test('a port that is taken is named', async (t) => {
  const { url } = await serve(t, [echo])
  const port = Number(new URL(url).port)
  await t.rejects(serve(t, [echo], { port }), {
    code: 'SVC_LISTEN_FAILED',
    message: new RegExp(`127\\.0\\.0\\.1:${port}: port ${port} is already in use`),
  })
})
