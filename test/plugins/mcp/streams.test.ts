import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { SvcError } from '../../../core/doors/plugin.ts'
import rateLimiting from '../../../plugins/rate-limiting/index.ts'
import subscriptions from '../../../plugins/subscriptions/index.ts'
import { runOnServer } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { requireService } from '../../helpers/services.ts'
import { as } from '../../helpers/test-credential.ts'
import { ask, createLibrary, openWorld } from './world.ts'

/** Streams: whose they are, how many there are, and what ends them; and statements of calls that nobody waits for any more. */
t.setTimeout(180_000)

const OLD = '2025-06-18'
const NEWEST = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
}

const revoked = new Set<string>()
/** Takes back what `x-caller` says. */
const takesBack = () =>
  entry(
    plugin('takes-back', (scope) => {
      scope.on(
        'authenticate',
        ({ headers }) => {
          const { 'x-caller': caller } = headers
          if (typeof caller !== 'string' || ![...revoked].some((name) => caller.includes(`"${name}"`))) return undefined
          throw new SvcError('UNAUTHENTICATED', 'The credential is taken back.')
        },
        { position: 'guard' },
      )
    }),
  )

async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let left = 2400; left > 0; left--) {
    if (await check()) return
    await sleep(25)
  }
  throw new Error(`not in time: ${what}`)
}

if (await requireService(t, 'postgres')) {
  const library = await createLibrary(t)
  const { pathname } = new URL(library)
  /** Statements of the service that the database is at. */
  const sleeping = async (): Promise<number> => {
    const sql =
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
    return (await runOnServer(pathname.slice(1), sql))[0]!.n as number
  }

  t.test('streams of changes', async (t) => {
    const app = await openWorld(t, {
      library,
      mcp: { max_streams_per_caller: 2 },
      plugins: [entry(subscriptions, { recheck_secs: 1 }), takesBack()],
    })
    const url = `${await app.listen()}/mcp`
    const opened: AbortController[] = []
    t.teardown(() => {
      for (const one of opened) one.abort()
    })
    const wait = async (headers: object) => {
      const stop = new AbortController()
      opened.push(stop)
      const reply = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: stop.signal })
      const ended = reply.body!.pipeTo(new WritableStream()).then(
        () => true,
        () => false,
      )
      return { status: reply.status, headers: reply.headers, ended, stop: () => stop.abort() }
    }
    const listen = async (id: number, caller: object) => {
      const stop = new AbortController()
      opened.push(stop)
      const reply = await fetch(url, {
        method: 'POST',
        signal: stop.signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': NEWEST,
          'mcp-method': 'subscriptions/listen',
          ...caller,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { _meta: META } }),
      })
      return { status: reply.status, text: reply.text().catch((error) => String(error)), stop: () => stop.abort() }
    }
    const begin = async (caller: object) => {
      const { headers } = await ask(app, 'initialize', { protocolVersion: OLD }, { ...caller })
      return { ...caller, 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': OLD }
    }

    await t.test('one caller has some, and others theirs', async (t) => {
      const ann = as({ subject: 'ann' })
      const [first, second] = [await wait(ann), await listen(1, ann)]
      t.same([first.status, second.status], [200, 200])
      const third = await wait(ann)
      t.match([third.status, third.headers.get('retry-after')], [429, /^30$/])
      const fourth = await listen(2, ann)
      t.equal(fourth.status, 429)
      t.match(JSON.parse(await fourth.text), { id: 2, error: { data: { code: 'RATE_LIMITED' } } })
      t.equal((await wait(as({ subject: 'bob' }))).status, 200)
      t.equal((await wait(as({ subject: 'ann', method: 'api_key' }))).status, 200, 'another credential')
      const nobody = [await wait({}), await wait({}), await wait({})]
      t.same(
        nobody.map(({ status }) => status),
        [200, 200, 429],
        'who says nothing is told apart by address',
      )
      first.stop()
      await first.ended
      let again = 429
      await until(async () => {
        const { status, stop } = await wait(ann)
        again = status
        if (status !== 200) stop()
        return status === 200
      }, 'one that has ended makes room')
      t.equal(again, 200)
      for (const one of opened.splice(0)) one.abort()
    })

    await t.test('the end of a session ends its streams, and no others', async (t) => {
      const cid = as({ subject: 'cid' })
      const [mine, other] = [await begin(cid), await begin(cid)]
      const [one, two] = [await wait(mine), await wait(other)]
      t.same([one.status, two.status], [200, 200])
      let hasEnded = false
      void two.ended.then(() => (hasEnded = true))
      t.equal((await app.inject({ method: 'DELETE', url: '/mcp', headers: mine })).status, 204)
      t.equal(await one.ended, true, 'in order, not by a broken connection')
      t.equal((await wait(mine)).status, 404)
      t.equal(hasEnded, false)
      two.stop()
    })

    await t.test('a credential that is taken back ends them', async (t) => {
      const dan = as({ subject: 'dan' })
      const [one, two] = [await wait(dan), await listen(7, dan)]
      t.same([one.status, two.status], [200, 200])
      revoked.add('dan')
      t.equal(await one.ended, true)
      t.match(await two.text, /"id":7,"result":\{"resultType":"complete"\}/)
      t.equal((await wait(dan)).status, 401)
      t.equal((await ask(app, 'tools/list', {}, await begin(dan))).status, 401, 'nor is a message taken')
    })
  })

  t.test('the statement of a call that is taken back', async (t) => {
    // Nothing but its client ends it.
    const app = await openWorld(t, { library, server: { request_timeout_ms: 0 } })
    const url = `${await app.listen()}/mcp`
    const streamed = { name: 'slows', arguments: {}, _meta: { progressToken: 1 } }
    const plain = { name: 'slows', arguments: {} }
    const post = (params: object, headers: Record<string, string>, signal?: AbortSignal) =>
      fetch(url, {
        method: 'POST',
        ...(signal === undefined ? {} : { signal }),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params }),
      })
    const begun = async () => {
      const { headers } = await ask(app, 'initialize', { protocolVersion: OLD })
      return { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': OLD }
    }
    const modern = { 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/call', 'mcp-name': 'slows' }

    for (const [form, params] of [
      ['plain', plain],
      ['streamed', streamed],
    ] as const) {
      await t.test(`${form}: by a notification`, async (t) => {
        const session = await begun()
        const reply = post(params, session).then((each) => each.text())
        reply.catch(() => {})
        await until(async () => (await sleeping()) === 1, 'it runs')
        const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } }
        const told = await app.inject({ method: 'POST', url: '/mcp', headers: session, body: cancelled })
        t.equal(told.status, 202)
        await until(async () => (await sleeping()) === 0, 'it is cancelled in the database')
        t.notMatch(await reply.catch(() => ''), /"isError":false/)
        await until(() => app.database.pool.active === 0, 'its connection is free')
      })

      await t.test(`${form}: by a client that goes`, async (t) => {
        for (const [headers, sent] of [
          [await begun(), params],
          [modern, { ...params, _meta: { ...META, ...('_meta' in params ? params._meta : {}) } }],
        ] as const) {
          const stop = new AbortController()
          const gone = post(sent, headers, stop.signal).then((each) => each.text())
          gone.catch(() => {})
          await until(async () => (await sleeping()) === 1, 'it runs')
          stop.abort()
          await t.rejects(gone)
          await until(async () => (await sleeping()) === 0, 'it is cancelled in the database')
          await until(() => app.database.pool.active === 0, 'its connection is free')
        }
      })
    }

    await t.test('the next call is answered', async (t) => {
      const { result } = await ask(app, 'tools/call', { name: 'book', arguments: { id: '1' } })
      t.match(result, { isError: false })
    })
  })

  t.test('a call whose time is up says so', async (t) => {
    const never = entry(
      plugin(
        'never',
        (scope) => {
          const inputSchema = { type: 'object' }
          const call = (): Promise<never> => new Promise(() => {})
          scope.use('mcp').tool({ name: 'never', description: 'Ends at no time.', inputSchema, streams: true, call })
        },
        { dependencies: ['mcp'] },
      ),
    )
    const app = await openWorld(t, { library, server: { request_timeout_ms: 400 }, plugins: [never] })
    const url = `${await app.listen()}/mcp`
    const ask = async (name: string, meta: object) => {
      const reply = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': OLD,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 5,
          method: 'tools/call',
          params: { name, arguments: {}, ...meta },
        }),
      })
      const type = reply.headers.get('content-type') ?? ''
      const text = await reply.text()
      const [last = ''] = /^\{.*$/m.exec(text.split('data: ').at(-1)!) ?? []
      // Each has its own number in the log.
      return { type, answer: JSON.parse(last.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/, 'ID')) }
    }
    const plain = await ask('slows', {})
    t.match(plain.type, 'application/json')
    t.match(plain.answer, { result: { isError: true } })
    t.match(plain.answer.result.content[0].text, '"TIMEOUT"')
    const streamed = await ask('slows', { _meta: { progressToken: 1 } })
    t.match(streamed.type, 'text/event-stream')
    t.same(streamed.answer, plain.answer, 'a stream is told what a plain answer says')
    await until(async () => (await sleeping()) === 0, 'both are cancelled in the database')
    const endless = await ask('never', {})
    t.match(endless.answer, { id: 5, error: { message: /did not end/, data: { code: 'TIMEOUT' } } })
  })

  t.test('each message of a list is a request for limits of rates', async (t) => {
    const rules = { enabled: true, requests_per_second: 0.001, requests_per_second_per_user: 0.001, burst_size: 4 }
    const app = await openWorld(t, { library, plugins: [entry(rateLimiting as never, rules)] })
    const body = Array.from({ length: 6 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    const headers = { 'mcp-protocol-version': '2025-03-26' }
    for (const caller of [as({ subject: 'ann' }), {}]) {
      const reply = await app.inject({ method: 'POST', url: '/mcp', headers: { ...headers, ...caller }, body })
      const answers = reply.json<{ id: number; result?: object }[]>()
      t.same(
        answers.map(({ result }) => result !== undefined),
        [true, true, true, true, false, false],
      )
      t.match(answers.at(-1), { id: 5, error: { data: { code: 'RATE_LIMITED', retryAfter: Number } } })
      t.equal((await app.inject({ method: 'POST', url: '/mcp', headers: { ...headers, ...caller }, body })).status, 429)
    }
  })
}
