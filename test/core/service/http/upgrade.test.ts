import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { HttpExchange } from '../../../../core/contract/http-exchange.ts'
import type { Scope } from '../../../../core/contract/scope.ts'
import type { Upgrade, UpgradeHandler } from '../../../../core/contract/upgrade.ts'
import { UNKNOWN_CALLERS } from '../../../../core/service/http/cacheability.ts'
import { createDeadlines } from '../../../../core/service/http/deadlines.ts'
import { createUpgrades } from '../../../../core/service/http/upgrades.ts'
import { type BareAppOptions, createBareApp } from '../../../helpers/bare-app.ts'
import { boot, entry, failure, plugin } from '../../../helpers/kernel.ts'
import { echo as echoRoute, GENERATION, serve } from './http-fixture.ts'

const ACCEPTED = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n'
const later = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Sends back what it gets. */
const echo: UpgradeHandler = (_ctx, upgrade) => {
  const { socket, head } = upgrade.take()
  socket.write(ACCEPTED)
  socket.write(head)
  socket.pipe(socket)
}

async function open(t: Test, setup: (scope: Scope) => void, options: BareAppOptions = {}) {
  const app = await createBareApp(t, { ...options, plugins: [entry(plugin('sockets', setup))] })
  const url = await app.listen()
  const { hostname, port } = new URL(url)
  return { app, url, connect: () => connect(Number(port), hostname) }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Where it was upgraded. */
  readonly socket: Duplex | null
}

/** Asks for an upgrade with Node's own client. */
function ask(url: string, headers: Record<string, string> = {}, body?: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers: { connection: 'Upgrade', upgrade: 'echo', ...headers } })
    asked.on('error', reject)
    asked.on('upgrade', ({ statusCode, headers }, socket) =>
      resolve({ status: statusCode ?? 0, headers, body: '', socket }),
    )
    asked.on('response', async (response) => {
      const { statusCode, headers } = response
      resolve({ status: statusCode ?? 0, headers, body: await text(response), socket: null })
    })
    asked.end(body)
  })
}

async function roundTrip(socket: Duplex, message: string): Promise<string> {
  socket.write(message)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return chunk.toString()
}

t.test('a handler takes the connection, after onRequest and authenticate', async (t) => {
  const seen: string[] = []
  let exchange = null as HttpExchange | null
  const { app, url } = await open(
    t,
    (scope) => {
      scope.on('onRequest', async (ctx, next) => {
        const reply = await next()
        seen.push(`onRequest ${ctx.transport} ${reply.status}`)
        return reply
      })
      scope.on('authenticate', () => {
        seen.push('authenticate')
        return { subject: 'ada', claims: {}, scopes: [], roles: [], method: 'test' }
      })
      scope.upgrade('/echo/:room', (ctx, upgrade) => {
        exchange = ctx
        seen.push(`${ctx.auth?.subject} in ${ctx.params.room} asks for ${upgrade.request.headers.upgrade}`)
        return echo(ctx, upgrade)
      })
      scope.upgrade('/open', echo, { anonymous: true })
    },
    { server: { access_log: true, request_timeout_ms: 100 } },
  )
  const { status, socket } = await ask(`${url}/echo/lounge?x=1`)
  t.equal(status, 101)
  t.strictSame(seen.splice(0), ['authenticate', 'ada in lounge asks for echo', 'onRequest http 101'])
  t.equal(await roundTrip(socket!, 'hello'), 'hello')
  await later(400)
  t.equal(await roundTrip(socket!, 'again'), 'again', 'no deadline once it is taken')
  t.equal(exchange!.aborted, false)
  const gone = new Promise<void>((done) => exchange!.onAbort(done))
  socket!.end()
  await gone
  t.equal(exchange!.abortReason, 'client')
  t.match(
    app.signals.filter(({ type }) => type === 'request-answered'),
    [{ method: 'GET', path: '/echo/lounge', status: 101 }],
  )

  const anonymous = await ask(`${url}/open`)
  t.equal(anonymous.status, 101)
  t.strictSame(seen, ['onRequest http 101'], 'nobody is asked for a credential')
  anonymous.socket!.destroy()
})

t.test('bytes that follow the request are handed over', async (t) => {
  const { connect } = await open(t, (scope) => scope.upgrade('/echo', echo))
  const socket = connect()
  socket.write('GET /echo HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\nearly\0\xff')
  const all = text(socket)
  await later(50)
  socket.end(' late')
  t.equal(await all, `${ACCEPTED}early\0\xff late`)
})

t.test('the connection of a client that is done is closed, also by who only listens', async (t) => {
  const { url } = await open(t, (scope) =>
    scope.upgrade('/listens', (_ctx, upgrade) => {
      const { socket } = upgrade.take()
      socket.write(ACCEPTED)
      socket.resume()
    }),
  )
  const { socket } = await ask(`${url}/listens`)
  socket!.resume().end()
  await once(socket!, 'close')
})

t.test('a refused upgrade gets an HTTP response and the connection ends', async (t) => {
  const { app, url } = await open(t, (scope) => {
    scope.on('onRequest', (ctx, next) => {
      if (ctx.headers['x-banned'] !== undefined) throw new SvcError('FORBIDDEN', 'Banned.')
      if (ctx.headers['x-busy'] !== undefined) return { status: 429, headers: { 'retry-after': '7' }, body: 'later' }
      if (ctx.headers['x-odd'] !== undefined) return { status: 101, headers: {}, body: null }
      ctx.replyHeaders = { 'x-seen': 'yes' }
      return next()
    })
    scope.on('authenticate', (ctx) => {
      if (ctx.headers.authorization !== undefined) throw new SvcError('UNAUTHENTICATED', 'A bad one.')
      return undefined
    })
    const refusing: Record<string, UpgradeHandler> = {
      throws: () => {
        throw new SvcError('FORBIDDEN', 'Not you.')
      },
      rejects: async () => {
        await later(1)
        throw new Error('secret')
      },
      answers: () => ({ status: 409, headers: {}, body: 'no' }),
      forgets: () => {},
      'forgets-late': async () => {},
    }
    for (const [name, handler] of Object.entries(refusing)) scope.upgrade(`/${name}`, handler)
    scope.upgrade('/own', refusing.throws!, {
      renderError: () => ({ status: 400, headers: { 'content-type': 'text/plain' }, body: 'own' }),
    })
    scope.upgrade('/echo', echo)
    scope.route({ method: 'GET', path: '/page', handler: () => ({ status: 200, headers: {}, body: 'page' }) })
    scope.on('error:public', (shown) => ({ ...shown, message: `public ${shown.message}` }))
  })
  const cases: readonly (readonly [string, Record<string, string>, number, RegExp | string])[] = [
    ['/echo', { 'x-banned': '1' }, 403, /"message":"public Banned."/],
    ['/echo', { 'x-busy': '1' }, 429, 'later'],
    ['/echo', { 'x-odd': '1' }, 500, /INTERNAL_SERVER_ERROR/],
    ['/echo', { authorization: 'x' }, 401, /"code":"UNAUTHENTICATED","message":"public A bad one."/],
    ['/throws', {}, 403, /"message":"public Not you."/],
    ['/rejects', {}, 500, /"message":"public An internal error occurred."/],
    ['/answers', {}, 409, 'no'],
    ['/forgets', {}, 500, /INTERNAL_SERVER_ERROR/],
    ['/forgets-late', {}, 500, /INTERNAL_SERVER_ERROR/],
    ['/own', {}, 400, 'own'],
    ['/nowhere', {}, 404, /"message":"public There is nothing at \/nowhere."/],
    ['/page', {}, 200, 'page'],
  ]
  for (const [path, headers, status, body] of cases) {
    const answer = await ask(url + path, headers)
    const title = `${path} ${Object.keys(headers)}`
    t.equal(answer.status, status, title)
    t.match(answer.body, body, title)
    t.equal(answer.headers.connection, 'close', title)
    t.notMatch(answer.body, /secret/)
    if (status !== 429 && path !== '/echo') t.equal(answer.headers['x-seen'], 'yes', `${title}: hooks' headers`)
  }
  t.match((await ask(`${url}/echo`)).status, 101, 'and the next one is served')
  const failed = app.signals.filter(({ type }) => type === 'request-failed')
  t.equal(failed.length, 4)
})

t.test('an unsupported Upgrade header is ignored, with and without other handlers', async (t) => {
  const page = (scope: Scope) => {
    scope.route({ method: 'GET', path: '/page', handler: () => ({ status: 200, headers: {}, body: 'page' }) })
    scope.route({
      method: 'POST',
      path: '/back',
      handler: async (ctx) => ({ status: 200, headers: {}, body: await ctx.readBody() }),
    })
  }
  const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA' }
  const big = 'x'.repeat(300_000)
  for (const takes of [false, true]) {
    const { url, connect } = await open(t, (scope) => {
      page(scope)
      if (takes) scope.upgrade('/back', echo)
    })
    t.match(await ask(`${url}/page`, h2c), { status: 200, body: 'page' })
    for (const body of ['', 'some', big]) {
      const answer = await ask(`${url}/back`, { ...h2c, 'content-length': String(body.length) }, body, 'POST')
      t.equal(answer.status, 200, `${takes} ${body.length}`)
      t.ok(answer.body === body)
    }
    const tooLarge = await ask(`${url}/back`, { ...h2c, 'content-length': '9999999' }, 'x', 'POST')
    t.equal(tooLarge.status, 413)
    const chunked = await ask(`${url}/back`, { ...h2c, 'transfer-encoding': 'chunked' }, 'some', 'POST')
    t.match(chunked, takes ? { status: 400, body: /needs a content-length/ } : { status: 200, body: 'some' })
    // A client that leaves with half of its body sent.
    const socket = connect()
    socket.write(
      'POST /back HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\ncontent-length: 10\r\n\r\nhalf',
    )
    await later(30)
    socket.resetAndDestroy()
    t.match(await ask(`${url}/page`, h2c), { status: 200 })
  }
})

t.test('a failure after the handshake closes the connection and is logged, and the process continues', async (t) => {
  const takeAnd =
    (fail: () => unknown): UpgradeHandler =>
    (_ctx, upgrade) => {
      upgrade.take().socket.write(ACCEPTED)
      return fail() as never
    }
  let again = null as unknown
  const { app, url } = await open(t, (scope) => {
    scope.upgrade(
      '/throws',
      takeAnd(() => {
        throw new Error('behind')
      }),
    )
    scope.upgrade(
      '/rejects',
      takeAnd(() => Promise.reject(new Error('behind'))),
    )
    scope.upgrade('/twice', (ctx, upgrade) => {
      echo(ctx, upgrade)
      try {
        upgrade.take()
      } catch (error) {
        again = error
      }
    })
    scope.on('onRequest', async (ctx, next) => {
      const reply = await next()
      if (ctx.headers['x-late'] !== undefined) throw new SvcError('FORBIDDEN', 'Too late.')
      return reply
    })
  })
  for (const [path, headers] of [
    ['/throws', {}],
    ['/rejects', {}],
    ['/twice', { 'x-late': '1' }],
  ] as const) {
    const { status, socket } = await ask(url + path, headers)
    t.equal(status, 101, path)
    if (!socket!.closed) await once(socket!.resume(), 'close')
  }
  t.match(again, { name: 'TypeError', message: /taken already/ })
  t.equal(app.signals.filter(({ type }) => type === 'request-failed').length, 2)
  t.equal((await ask(`${url}/twice`)).status, 101)
})

t.test('a handshake has the time of a request', async (t) => {
  let late = null as unknown
  let tried = () => {}
  const isTried = new Promise<void>((done) => {
    tried = done
  })
  const { url, connect } = await open(
    t,
    (scope) =>
      scope.upgrade('/slow', async (ctx, upgrade: Upgrade) => {
        await new Promise<void>((done) => ctx.onAbort(done))
        await later(20)
        try {
          upgrade.take()
        } catch (error) {
          late = error
        }
        tried()
      }),
    { server: { request_timeout_ms: 60 } },
  )
  const answer = await ask(`${url}/slow`)
  t.match(answer, { status: 504, body: /"code":"TIMEOUT"/, headers: { connection: 'close' } })
  await isTried
  t.match(late, { code: 'TIMEOUT' })
  const socket = connect()
  const all = text(socket)
  socket.write('GET /slow HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n')
  t.match(await all, /^HTTP\/1\.1 504 [\s\S]*connection: close/)
})

t.test('where requests have no limit, handshakes and bodies have one', async (t) => {
  const never = { plugin: 'x', path: '/never', handler: () => new Promise<never>(() => {}) }
  const limits = { requestTimeoutMs: 0, readTimeoutMs: 60 }
  const { url } = await serve(t, [echoRoute], limits, null, [never])
  t.match(await ask(`${url}/never`), { status: 504, body: /"code":"TIMEOUT"/, headers: { connection: 'close' } })

  const short = createUpgrades({
    pipeline: { has: () => false, run: () => ({ status: 500, headers: {}, body: null }) },
    generation: () => GENERATION,
    toPublicError: () => ({ code: 'X', message: '', status: 500, details: {}, retryAfter: undefined }),
    cacheability: UNKNOWN_CALLERS,
    deadlines: createDeadlines(0),
    readMs: 60,
    maxConnections: 10,
    isDraining: () => false,
    handle: (source) => void (source as unknown as Duplex).resume(),
  })
  const server = createServer().on('upgrade', short.accept).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST /x HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\ncontent-length: 10\r\n\r\nhalf')
  t.equal(await text(socket), '', 'half of a body, and nothing more: the connection is closed')
})

t.test('clients that send garbage or disconnect at any time do not affect others', async (t) => {
  const exchanges: HttpExchange[] = []
  const { url, connect } = await open(t, (scope) => {
    scope.upgrade('/echo', (ctx, upgrade) => {
      exchanges.push(ctx)
      return echo(ctx, upgrade)
    })
    scope.upgrade('/waits', async (ctx, upgrade) => {
      exchanges.push(ctx)
      await later(50)
      return echo(ctx, upgrade)
    })
  })
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n`
  const leave: readonly ((socket: Socket) => void)[] = [
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.destroy(),
    (socket) => socket.end(),
    (socket) => socket.end(Buffer.alloc(200_000, 0xff)),
  ]
  for (const path of ['/echo', '/waits']) {
    for (const each of leave) {
      const socket = connect()
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(head(path))
      await later(15)
      each(socket)
    }
  }
  const half = connect()
  half.write('GET /echo HTTP/1.1\r\nconnection: upgr')
  half.destroy()
  const wrong = connect()
  wrong.write('GET /echo HTTP/1.1\r\nhost: x\r\nupgrade: echo\r\nconnection: upgrade\r\nbad header\r\n\r\n')
  t.match(await text(wrong), /^HTTP\/1\.1 400/)
  t.equal((await ask(`${url}/echo`)).status, 101)
  for (let i = 0; i < 100 && !exchanges.slice(0, 8).every(({ aborted }) => aborted); i++) await later(20)
  t.equal(exchanges.length, 9)
  t.strictSame(
    exchanges.slice(0, 8).map(({ aborted }) => aborted),
    Array(8).fill(true),
    'each is told that its client went',
  )
})

t.test('there are no more of them than server.max_upgraded_connections', async (t) => {
  const { url } = await open(t, (scope) => scope.upgrade('/echo', echo), { server: { max_upgraded_connections: 2 } })
  const [first] = await Promise.all([ask(`${url}/echo`), ask(`${url}/echo`)])
  const third = await ask(`${url}/echo`)
  t.match(third, { status: 503, body: /SERVICE_UNAVAILABLE/, headers: { 'retry-after': /^1$/, connection: 'close' } })
  first.socket!.destroy()
  for (let i = 0; i < 100 && (await ask(`${url}/echo`)).status !== 101; i++) await later(20)
  t.equal((await ask(`${url}/echo`)).status, 503, 'a place that was left is taken again, by one')
})

t.test('those whose wish is ignored are counted too, and a stop ends them', async (t) => {
  const { app, url, connect } = await open(
    t,
    (scope) => {
      scope.upgrade('/echo', echo)
      scope.route({
        method: 'POST',
        path: '/back',
        handler: async (ctx) => ({ status: 200, headers: {}, body: await ctx.readBody() }),
      })
      scope.route({ method: 'GET', path: '/page', handler: () => ({ status: 200, headers: {}, body: 'page' }) })
    },
    { server: { max_upgraded_connections: 2, request_timeout_ms: 0, shutdown_timeout_ms: 200 } },
  )
  const slow = () => {
    const socket = connect()
    socket.write(
      'POST /back HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\ncontent-length: 9\r\n\r\nhalf',
    )
    return socket.on('error', () => {})
  }
  const [first, second] = [slow(), slow()]
  await later(50)
  for (const path of ['/echo', '/page', '/nowhere']) {
    t.match(await ask(url + path), { status: 503, headers: { connection: 'close' } }, `${path} is one too many`)
  }
  const told = text(first)
  first.write(' done')
  t.match(await told, /^HTTP\/1\.1 200 [\s\S]*half done$/, 'who is served is served whole')
  for (const round of [1, 2, 3])
    t.match(await ask(`${url}/page`), { status: 200, body: 'page' }, `a place again, ${round}`)
  t.match(await ask(`${url}/nowhere`), { status: 404, headers: { connection: 'close' } })
  const cut = once(second.resume(), 'close')
  const started = performance.now()
  await app.close()
  await cut
  t.ok(performance.now() - started < 5000, 'a stop does not wait for who never ends')
})

t.test('a stop tells the plugin, waits, and then ends what is left', async (t) => {
  const told: string[] = []
  const kept: HttpExchange[] = []
  const { app, url } = await open(
    t,
    (scope) => {
      const sockets: Duplex[] = []
      scope.upgrade('/polite', (ctx, upgrade) => {
        const { socket } = upgrade.take()
        sockets.push(socket.on('close', () => told.push('polite closed')))
        socket.write(ACCEPTED)
        void ctx
      })
      scope.upgrade('/stubborn', (ctx, upgrade) => {
        kept.push(ctx)
        ctx.onAbort(() => told.push('stubborn aborted'))
        return echo(ctx, upgrade)
      })
      scope.onDrain(() => {
        told.push('drain')
        for (const socket of sockets) socket.end('bye')
      })
    },
    { server: { shutdown_grace_ms: 150, shutdown_timeout_ms: 400 } },
  )
  const polite = await ask(`${url}/polite`)
  const stubborn = await ask(`${url}/stubborn`)
  const bye = text(polite.socket!)
  const started = performance.now()
  const closing = app.close()
  t.equal(await bye, 'bye')
  t.match(await ask(`${url}/stubborn`), { status: 503, body: /The process is stopping/ }, 'no more are taken')
  t.equal(await roundTrip(stubborn.socket!, 'still'), 'still')
  const ended = once(stubborn.socket!.resume(), 'close')
  await closing
  const took = performance.now() - started
  t.ok(took >= 450, `${took} ms: as long as it may take`)
  t.ok(took < 5000, `${took} ms: and no longer`)
  await ended
  t.strictSame(told, ['drain', 'polite closed', 'stubborn aborted'])
  t.equal(kept[0]!.abortReason, 'client')
})

t.test('a path has one taker, and may have routes besides', async (t) => {
  const wrong: readonly (readonly [(scope: Scope) => void, RegExp])[] = [
    [(scope) => scope.upgrade('echo', echo), /takes upgrades at "echo"; a path begins with "\/"/],
    [(scope) => scope.upgrade('/echo', undefined as never), /takes upgrades at \/echo without a handler/],
    [
      (scope) => {
        scope.upgrade('/rooms/:id', echo)
        scope.upgrade('/rooms/:name', echo)
      },
      /Plugin "p" takes the upgrades at \/rooms\/:name, which plugin "p" takes already/,
    ],
  ]
  for (const [setup, message] of wrong) t.match(await failure(() => boot([plugin('p', setup)])), { message })
  const late = { scope: null as Scope | null }
  const kernel = await boot([
    plugin('p', (scope) => {
      late.scope = scope
    }),
  ])
  t.throws(() => late.scope!.upgrade('/late', echo), { code: 'SVC_SCOPE_PHASE' })
  await kernel.close()
})

t.test('the protocol of a taker is one word of the header, and no part of one', async (t) => {
  const { url } = await open(t, (scope) => {
    scope.upgrade('/one', echo, { anonymous: true, protocol: 'echo' })
    scope.route({ method: 'GET', path: '/one', handler: () => ({ status: 200, headers: {}, body: 'page' }) })
  })
  for (const wish of ['echo', 'ECHO', 'h2c, echo', 'h2c,echo , x']) {
    const { status, socket } = await ask(`${url}/one`, { upgrade: wish })
    t.equal(status, 101, wish)
    socket?.destroy()
  }
  for (const wish of ['echo2', 'anecho', 'echo/1', 'ec ho', 'h2c']) {
    t.match(await ask(`${url}/one`, { upgrade: wish }), { status: 200, body: 'page' }, wish)
  }
})
