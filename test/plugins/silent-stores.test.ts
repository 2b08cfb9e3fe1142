import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import apq from '../../plugins/apq/index.ts'
import health from '../../plugins/health/index.ts'
import metrics from '../../plugins/metrics/index.ts'
import rateLimiting from '../../plugins/rate-limiting/index.ts'
import responseCache from '../../plugins/response-cache/index.ts'
import rest from '../../plugins/rest/index.ts'
import tokenRevocation from '../../plugins/token-revocation/index.ts'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { LIBRARY_SQL, OPEN_LIBRARY } from '../helpers/library.ts'
import { openApp } from '../helpers/open-app.ts'
import { startRedis } from '../helpers/redis-server.ts'
import { requireService } from '../helpers/services.ts'
import { claims, hs256, openWho, plugin, SECRET } from './jwt/who.ts'

/** Far below the time that one call waits for a store (250 ms and more), for ten requests. */
const TEN_AT_ONCE_MS = 240
const make = (): string => hs256(claims({ jti: randomUUID(), iat: Math.floor(Date.now() / 1000) }))

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

t.test('credentials and limits keep their rule while the store is silent, and cost no request its time', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const open = (failsOpen: boolean) => {
    const store = { kvstore_url: server.url, fail_open: failsOpen }
    return openWho(t, { jwt_secret: SECRET }, [
      plugin(health),
      plugin(metrics),
      plugin(tokenRevocation, { enabled: true, backend: 'kvstore', ...store }),
      plugin(rateLimiting, { enabled: true, ...store }),
    ])
  }
  const closed = await open(false)
  const opened = await open(true)
  const [one, other] = [make(), make()]
  const statuses = async (app: typeof closed) => [(await app.ask()).status, (await app.ask(one)).status]
  const metric = async (app: typeof closed) =>
    (await app.inject({ url: '/metrics' })).text.match(/svc_store_up\{store="127\.0\.0\.1:\d+"\} (\d)/)?.[1]
  t.strictSame(
    [await statuses(closed), await statuses(opened)],
    [
      [200, 200],
      [200, 200],
    ],
  )
  t.equal(await metric(closed), '1')

  server.freeze()
  await Promise.all([closed.ask(one), opened.ask(one)])
  // Revocation is asked after the limit let the request pass.
  await opened.ask(one)
  const tookMs = await elapsed(async () => {
    for (let i = 0; i < 5; i++) {
      t.strictSame(await statuses(closed), [503, 503], 'fail_open is off: refused')
      t.strictSame(await statuses(opened), [200, 200], 'fail_open is on: let in')
    }
  })
  t.ok(tookMs < 2 * TEN_AT_ONCE_MS, `twenty requests took ${tookMs} ms`)
  t.equal((await opened.ask(`${other}x`)).status, 401, 'a token that is not genuine is refused all the same')
  const isWell = async (app: typeof closed) => {
    const { status, text } = await app.inject({ url: '/health' })
    const { token_revocation: store } = JSON.parse(text) as { token_revocation: { ok: boolean; connected: boolean } }
    return [status, store.ok, store.connected]
  }
  t.strictSame(await isWell(closed), [503, false, false], 'health names the store')
  t.strictSame(await isWell(opened), [200, true, false])
  t.equal(await metric(closed), '0')

  server.thaw()
  for (let i = 0; i < 200 && (await closed.ask(one)).status !== 200; i++) await sleep(25)
  t.strictSame(await statuses(closed), [200, 200], 'back without a restart')
  t.equal(await metric(closed), '1')
})

t.test('caches and repeated writes keep their rule while the store is silent', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const server = await startRedis(t)
  if (server === null) return
  const url = await createPostgresDatabase(t, { sql: LIBRARY_SQL })
  const app = await openApp(t, { kind: 'postgres', url }, OPEN_LIBRARY, {
    plugins: [
      plugin(apq, { enabled: true, kvstore_url: server.url }),
      plugin(responseCache, { enabled: true, backend: 'kvstore', kvstore_url: server.url, default_ttl_secs: 60 }),
      plugin(rest, { kvstore_url: server.url }),
    ],
  })
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
  const ask = async (text: string) => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: hash(text) } }
    const reply = await app.inject({ method: 'POST', url: '/graphql', body: { extensions } })
    return reply.json<{ errors?: { message: string }[] }>().errors?.[0]?.message
  }
  const query = '{ books { title } }'
  const { data } = await app.graphql(query)
  t.equal(await ask('{ books { id } }'), 'PersistedQueryNotFound')
  server.freeze()
  await app.graphql(query)
  await ask('{ books { id } }')
  const tookMs = await elapsed(async () => {
    for (let i = 0; i < 5; i++) {
      t.strictSame((await app.graphql(query)).data, data, 'the database answers in the place of the cache')
      t.equal(await ask('{ books { id } }'), 'PersistedQueryNotFound', 'clients send the text again')
    }
  })
  t.ok(tookMs < TEN_AT_ONCE_MS, `ten requests took ${tookMs} ms`)
})
