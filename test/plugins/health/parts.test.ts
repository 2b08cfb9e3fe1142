import t from 'tap'
import type { PluginInstance } from '../../../core/kernel/kernel-options.ts'
import apq from '../../../plugins/apq/index.ts'
import type {} from '../../../plugins/health/api.ts'
import health from '../../../plugins/health/index.ts'
import jwt from '../../../plugins/jwt/index.ts'
import rateLimiting from '../../../plugins/rate-limiting/index.ts'
import responseCache from '../../../plugins/response-cache/index.ts'
import rest from '../../../plugins/rest/index.ts'
import tokenRevocation from '../../../plugins/token-revocation/index.ts'
import { createBareDatabase } from '../../helpers/bare-app.ts'
import { createPglite } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { LIBRARY_SQL, OPEN_LIBRARY } from '../../helpers/library.ts'
import { openApp } from '../../helpers/open-app.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'

/** Answer of `/health`. Each plugin with a store of its own adds a part (docs/plugins/health.md#databases-and-parts). */
interface Body {
  readonly status: string
  readonly checks: Readonly<Record<string, { readonly ok?: boolean; readonly status?: string }>>
}

const secret = { jwt_secret: 'a secret of thirty-two bytes at least' }

const rateLimitingPart = (url: string, fail_open: boolean) => ({
  plugins: [entry(rateLimiting, { enabled: true, kvstore_url: url, fail_open })],
  isNeeded: !fail_open,
})
const revocationPart = (url: string, fail_open: boolean) => ({
  plugins: [
    entry(jwt, secret),
    entry(tokenRevocation, { enabled: true, backend: 'kvstore', kvstore_url: url, fail_open }),
  ],
  isNeeded: !fail_open,
})

/** By part, with a remark about its options: the plugins that add it, and whether requests fail without the store. */
const PARTS: Readonly<Record<string, (url: string) => { plugins: PluginInstance[]; isNeeded: boolean }>> = {
  rate_limiting: (url) => rateLimitingPart(url, false),
  'rate_limiting with fail_open': (url) => rateLimitingPart(url, true),
  token_revocation: (url) => revocationPart(url, false),
  'token_revocation with fail_open': (url) => revocationPart(url, true),
  cache: (url) => ({
    plugins: [entry(responseCache, { enabled: true, backend: 'kvstore', kvstore_url: url })],
    isNeeded: false,
  }),
  apq: (url) => ({ plugins: [entry(apq, { enabled: true, kvstore_url: url })], isNeeded: false }),
  idempotency: (url) => ({ plugins: [entry(rest, { kvstore_url: url })], isNeeded: false }),
}

t.test('a key-value store that goes and comes back', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const database = { kind: 'pglite', url: await createPglite(t, { sql: LIBRARY_SQL }) } as const
  for (const [title, part] of Object.entries(PARTS)) {
    await t.test(title, async (t) => {
      const name = title.replace(/ .*/, '')
      const { host, port } = SERVICES.redis
      const proxy = await createTcpProxy(t, host, port)
      const { plugins, isNeeded } = part(`redis://127.0.0.1:${proxy.port}`)
      const app = await openApp(t, database, OPEN_LIBRARY, { plugins, project: `health-${process.pid}` })
      const ask = async (path: string) => app.inject({ url: path })
      const read = async () => (await ask('/health')).json<Body>()
      t.match(await read(), { status: /^ok$/, [name]: { ok: true, backend: 'kvstore', connected: true } })

      await proxy.cut()
      const away = await ask('/health')
      t.equal(away.status, isNeeded ? 503 : 200)
      t.match(away.json(), {
        status: isNeeded ? 'unhealthy' : /^ok$/,
        database: { connected: true },
        [name]: { ok: !isNeeded, connected: false },
        checks: { [name]: { connected: false } },
      })
      t.notMatch(away.text, /127\.0\.0\.1|redis:|localhost/, 'no host is named')
      const detailed = (await ask('/health/detailed')).json<Body>()
      t.match(detailed.checks[name], { status: isNeeded ? 'unhealthy' : /^ok$/, connected: false })
      t.equal((await ask('/health/ready')).status, 200, 'which is about this process and its database')

      await proxy.mend()
      const end = Date.now() + 20_000
      const back = { ok: true, backend: 'kvstore', connected: true }
      while (JSON.stringify((await read()).checks[name]) !== JSON.stringify(back) && Date.now() < end) {
        await new Promise((done) => setTimeout(done, 50))
      }
      t.match(await read(), { status: /^ok$/, [name]: back })
      await app.close()
    })
  }
})

t.test('readiness asks no key-value store, so that a frozen one costs a probe no time', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const database = { kind: 'pglite', url: await createPglite(t, { sql: LIBRARY_SQL }) } as const
  const { host, port } = SERVICES.redis
  const proxy = await createTcpProxy(t, host, port)
  const { plugins } = revocationPart(`redis://127.0.0.1:${proxy.port}`, false)
  const app = await openApp(t, database, OPEN_LIBRARY, { plugins, project: `health-${process.pid}` })
  t.equal((await app.inject({ url: '/health' })).status, 200)
  proxy.freeze()
  let isOver = false
  const frozen = app.inject({ url: '/health' }).finally(() => {
    isOver = true
  })
  const ready = await app.inject({ url: '/health/ready' })
  t.strictSame([ready.status, ready.json(), isOver], [200, { status: 'ready' }, false], 'the part is still asked')
  t.equal((await frozen).status, 503)
})

t.test('/health/detailed', async (t) => {
  const database = { kind: 'pglite', url: await createPglite(t, { sql: LIBRARY_SQL }) } as const
  const app = await openApp(t, database, OPEN_LIBRARY, { plugins: [entry(responseCache, { enabled: true })] })
  const reply = await app.inject({ url: '/health/detailed' })
  t.equal(reply.status, 200)
  t.match(reply.headers, { 'cache-control': 'no-store' })
  t.match(reply.json(), {
    status: /^ok$/,
    checks: {
      database: { status: /^ok$/, latency_ms: Number },
      cache: { status: /^ok$/, size: 0, max_size: 1000 },
      schema: { status: /^ok$/, version: app.kernel.generation.hash, loaded_at: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/ },
    },
    version: '0.0.0-test',
    uptime_seconds: Number,
  })
})

t.test('a part that throws is not ok; a name is given once', async (t) => {
  const broken = plugin(
    'broken',
    (scope) => {
      const parts = scope.use('health')
      parts.add('mine', () => {
        throw new Error('postgres://root@db:5432')
      })
      for (const name of ['mine', 'database', 'status']) {
        t.throws(() => parts.add(name, () => ({ ok: true })), { code: 'SVC_PROVIDE_DUPLICATE' }, name)
      }
    },
    { dependencies: ['health'] },
  )
  const database = { kind: 'pglite', url: await createPglite(t, { sql: LIBRARY_SQL }) } as const
  const app = await openApp(t, database, OPEN_LIBRARY, { plugins: [entry(broken)] })
  const reply = await app.inject({ url: '/health' })
  t.equal(reply.status, 503)
  t.match(reply.json(), { status: 'unhealthy', mine: { ok: false } })
  t.notMatch(reply.text, /root|5432/)
})

t.test('concurrent probes share one check, so that they put no load on the stores', async (t) => {
  let asked = 0
  let pings = 0
  const counting = plugin(
    'counting',
    (scope) =>
      scope.use('health').add('mine', async () => {
        asked++
        await new Promise((done) => setTimeout(done, 300))
        return { ok: asked === 1 }
      }),
    { dependencies: ['health'] },
  )
  const ping = async (): Promise<void> => {
    pings++
    await new Promise((done) => setTimeout(done, 300))
  }
  const tested = await openPlugin(t, health, { dependencies: [counting], database: createBareDatabase({ ping }) })
  const many = (url: string) => Promise.all(Array.from({ length: 50 }, () => tested.inject({ url })))
  t.ok((await many('/health')).every(({ status }) => status === 200))
  t.same([asked, pings], [1, 1])
  t.equal((await tested.inject({ url: '/health/detailed' })).status, 503, 'afterwards it is asked anew')
  t.same([asked, pings], [2, 2])
  t.ok((await many('/ready')).every(({ status }) => status === 200))
  t.equal(pings, 3)
})
