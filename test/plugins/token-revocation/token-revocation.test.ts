import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { PluginInstance } from '../../../core/kernel/kernel-options.ts'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { openRedis } from '../../../core/service/stores/redis.ts'
import { emptySchema } from '../../../core/testing/testing.ts'
import tokenRevocation from '../../../plugins/token-revocation/index.ts'
import { createRedisRevocations } from '../../../plugins/token-revocation/redis-revocations.ts'
import type { RevocationStore } from '../../../plugins/token-revocation/revocation-store.ts'
import { createSqlRevocations } from '../../../plugins/token-revocation/sql-revocations.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { failure } from '../../helpers/kernel.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { claims, forge, hmac, hs256, nowSecs, openWho, plugin, SECRET, type WhoApp } from '../jwt/who.ts'

const REDIS = `redis://${SERVICES.redis.host}:${SERVICES.redis.port}`
const HS = { jwt_secret: SECRET }
const make = (more: object = {}) => hs256(claims({ sub: 'ann', jti: randomUUID(), iat: nowSecs(), ...more }))
/** As svc signs its own. */
const own = (payload: object) => forge({ alg: 'HS256', typ: 'JWT', kid: 'svc' }, payload, hmac(SECRET))
const revocation = (options: object): PluginInstance => plugin(tokenRevocation, { enabled: true, ...options })

async function post(app: WhoApp, path: string, token: string | null, body: unknown, headers: object = {}) {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  const reply = await app.inject({ method: 'POST', url: path, headers: { ...authorization, ...headers }, body })
  return { status: reply.status, ...reply.json<Record<string, unknown>>() }
}

/** Which tokens the moments of `revokeAll` end. */
async function moments(t: TestLike, store: RevocationStore): Promise<void> {
  const at = Date.now()
  const second = Math.floor(at / 1000)
  const subject = randomUUID()
  const issued = (issuedAt: number | null, aheadSecs = 0) =>
    store.isRevoked({ issuer: '', jti: randomUUID(), subject, issuedAt, aheadSecs, endsAt: at + 60_000 })
  await store.revokeAll(subject, at)
  await store.revokeAll(subject, at - 60_000)
  t.equal(await issued(second - 30), true, 'an earlier moment does not take the later one back')
  t.equal(await issued(second), true, 'of the same second')
  t.equal(await issued(second + 1), false)
  t.equal(await issued(second + 60, 60), true, 'the clock of its issuer may be ahead')
  t.equal(await issued(second + 61, 60), false)
  t.equal(await issued(null), true, 'one that does not say when')
}

/** What both stores do alike. @param open another instance over the same store */
async function suite(t: TestLike, open: () => Promise<WhoApp>): Promise<void> {
  const app = await open()
  const second = await open()
  const unique = randomUUID()
  const user = (n: number) => `${unique}-${n}`
  const admin = make({ sub: user(0), scope: 'admin:revoke' })
  const status = async (token: string, at: WhoApp = app) => (await at.ask(token)).status

  const mine = make({ sub: user(1) })
  const mineToo = make({ sub: user(1) })
  t.same([await status(mine), await status(mine, second), await status(mineToo)], [200, 200, 200])
  const done = await post(app, '/auth/revoke', mineToo, { token: mine })
  t.match(done, { status: 200, revoked: true, expires_at: /^\d{4}-\d\d-\d\dT/ })
  t.match(await app.ask(mine), { status: 401, error: { message: 'The token has been revoked.' } })
  t.equal(await status(mine, second), 401, 'on every instance, at once')
  t.equal(await status(mineToo), 200, 'that one alone')
  t.match(
    await post(app, '/auth/revoke', mineToo, { token: mine }),
    { status: 200, revoked: true },
    'again is no fault',
  )
  t.match(await post(app, '/auth/revoke', mine, { token: mineToo }), { status: 401 }, 'a revoked one revokes nothing')

  const other = make({ sub: user(2) })
  t.match(await post(app, '/auth/revoke', mineToo, { token: other }), { status: 403 }, "nobody else's")
  t.equal(await status(other), 200)
  const namesake = make({ sub: user(1), iss: 'https://elsewhere' })
  t.match(
    await post(app, '/auth/revoke', mineToo, { token: namesake }),
    { status: 403 },
    'whom another issuer calls so',
  )
  t.match(await post(app, '/auth/revoke', admin, { token: other }), { status: 200 }, 'but an operator does')
  t.equal(await status(other), 401)
  const machine = make({ sub: undefined })
  t.match(
    await post(app, '/auth/revoke', make({ sub: undefined }), { token: machine }),
    { status: 403 },
    'two without a subject',
  )
  t.equal(await status(machine), 200)
  t.match(await post(app, '/auth/revoke', machine, { token: machine }), { status: 200 }, 'the one that asks')
  t.equal(await status(machine), 401)
  const fresh = make({ sub: user(3) })
  await post(app, '/auth/revoke', admin, { token: fresh })
  t.equal(await status(fresh), 401, 'one that never came here')

  const past = { sub: user(4), iat: nowSecs() - 100 }
  const known = [make(past), make(past), make(past)]
  for (const token of known) t.equal(await status(token), 200)
  await post(app, '/auth/revoke', admin, { token: known[0] })
  const unknown = make(past)
  const noIat = make({ sub: user(4), iat: undefined })
  const noJti = make({ ...past, jti: undefined })
  t.equal(await status(noJti), 200, 'without jti it comes in')
  const tomorrow = make({ ...past, iat: nowSecs() + 86_400, exp: nowSecs() + 90_000 })
  t.equal(await status(tomorrow), 401, 'none is made tomorrow: it would outlive the end of all')
  t.match(await post(app, '/auth/revoke-all', mineToo, { sub: user(4) }), { status: 403 })
  t.match(await post(app, '/auth/revoke-all', admin, { sub: user(4) }), { status: 200, revoked_count: 2 })
  const wide = make({ sub: user(0), scope: '*:revoke' })
  t.match(await post(app, '/auth/revoke-all', wide, { sub: user(4) }), { status: 200, revoked_count: 0 })
  t.match(await post(app, '/auth/revoke-all', admin, { sub: user(99) }), { status: 200, revoked_count: 0 })
  for (const token of [...known, unknown, noIat, noJti]) t.equal(await status(token, second), 401, 'all of them')
  const later = claims({ sub: user(4), jti: randomUUID(), iat: nowSecs() + 2 })
  t.equal(await status(own(later)), 200, 'who logs in again comes in')
  t.equal(await status(hs256(later)), 401, 'unless the clock of who says so may be ahead: it may be older than it says')
  t.equal(await status(make({ sub: user(5), iat: nowSecs() - 100 })), 200, 'and nobody else is concerned')

  for (const jti of ["'; DROP TABLE svc_revoked_tokens; --", 'ü'.repeat(200), '*', `${unique}:t:`]) {
    const token = make({ sub: user(6), jti })
    t.equal(await status(token), 200)
    await post(app, '/auth/revoke', token, { token })
    t.equal(await status(token), 401, `any jti: ${jti.slice(0, 10)}`)
  }
}

t.test('sqldb', async (t) => {
  await eachDatabase(
    t,
    async (t, test) => {
      const database = await openTestDatabase(t, test)
      const schema = { ...emptySchema(), dialect: database.dialect.name }
      const open = () => openWho(t, HS, [revocation({ backend: 'sqldb' })], { database, schema })
      await suite(t, open)
      await moments(
        t,
        createSqlRevocations(
          () => database,
          async () => {},
        ),
      )
      const app = await open()
      await database.script('DROP TABLE svc_revoked_tokens')
      t.match(await app.ask(make()), { status: 503, error: { code: 'SERVICE_UNAVAILABLE' } })
    },
    { sqlite: { sql: 'SELECT 1' }, mysql: { sql: 'DO 1' } },
  )
})

t.test('kvstore', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  t.teardown(async () => {
    const redis = await openRedis(REDIS, { signals: createSignals() })
    const keys = (await redis.call('KEYS', 'svc:my-svc-app:revocation:*')) as string[]
    if (keys.length > 0) await redis.call('DEL', ...keys)
    await redis.close()
  })
  await suite(t, () => openWho(t, HS, [revocation({ backend: 'kvstore', kvstore_url: REDIS })]))
  const redis = await openRedis(REDIS, { signals: createSignals() })
  t.teardown(() => redis.close())
  const prefix = `svc:my-svc-app:revocation:${randomUUID()}:`
  const store = createRedisRevocations(redis, prefix)
  await moments(t, store)
  await redis.call('DEL', ...((await redis.call('KEYS', `${prefix}*`)) as string[]))
  const soon = { issuer: '', jti: 'j', subject: 's', issuedAt: 1, aheadSecs: 0, endsAt: Date.now() + 300 }
  await store.isRevoked(soon)
  await store.revoke(soon)
  await new Promise((resolve) => setTimeout(resolve, 400))
  t.same(await redis.call('KEYS', `${prefix}*`), [], 'nothing is kept longer than the token')
})

t.test('a store that is away: 503, or in with fail_open', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const proxy = await createTcpProxy(t, SERVICES.redis.host, SERVICES.redis.port)
  const url = `redis://127.0.0.1:${proxy.port}`
  const closed = await openWho(t, HS, [revocation({ backend: 'kvstore', kvstore_url: url })])
  const open = await openWho(t, HS, [revocation({ backend: 'kvstore', kvstore_url: url, fail_open: true })])
  const token = make({ scope: 'admin:revoke' })
  t.same([(await closed.ask(token)).status, (await open.ask(token)).status], [200, 200])
  await proxy.cut()
  t.match(await closed.ask(token), {
    status: 503,
    headers: { 'retry-after': /^1$/ },
    error: { code: 'SERVICE_UNAVAILABLE' },
  })
  t.equal((await open.ask(token)).status, 200)
  t.equal((await open.ask(token)).status, 200)
  t.equal(open.signals.filter(({ type }) => type === 'token-revocation:not-asked').length, 1, 'and it is said')
  t.equal((await open.ask(`${token}x`)).status, 401, 'a bad token is bad all the same')
  t.match(await post(closed, '/auth/revoke', token, { token }), { status: 503 })
  t.match(await post(open, '/auth/revoke', token, { token }), { status: 503 }, 'what was not written is not said to be')
  t.equal((await closed.ask()).status, 200, 'who brings no token is not concerned')
})

t.test('tokens without jti, and what the routes refuse', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const app = await openWho(t, HS, [revocation({ backend: 'kvstore', kvstore_url: REDIS, require_jti: true })])
  const lax = await openWho(t, HS, [revocation({ backend: 'kvstore', kvstore_url: REDIS })])
  for (const jti of [undefined, '', 'x\0y', 'a\nb', 7, 'x'.repeat(256), { $ne: 1 }, ['a']]) {
    const token = make({ jti })
    t.match(await app.ask(token), { status: 401, error: { message: /jti/ } }, JSON.stringify(jti))
    t.equal((await lax.ask(token)).status, 200)
    t.match(await post(lax, '/auth/revoke', token, { token }), { status: 400 }, 'cannot be revoked, and says so')
  }
  const admin = make({ scope: 'admin:revoke' })
  const cases: readonly (readonly [string, string | null, unknown, object, number])[] = [
    ['/auth/revoke', null, { token: admin }, {}, 401],
    ['/auth/revoke-all', null, { sub: 'x' }, {}, 401],
    ['/auth/revoke', admin, { token: 'x.y.z' }, {}, 400],
    ['/auth/revoke', admin, { token: hs256(claims(), 'another secret of thirty-two bytes') }, {}, 400],
    ['/auth/revoke', admin, { token: make({ exp: nowSecs() - 100 }) }, {}, 400],
    ['/auth/revoke', admin, {}, {}, 400],
    ['/auth/revoke', admin, { token: null }, {}, 400],
    ['/auth/revoke', admin, { token: ['x'] }, {}, 400],
    ['/auth/revoke', admin, { token: 'x', sub: 'y' }, {}, 400],
    ['/auth/revoke', admin, '[]', { 'content-type': 'application/json' }, 400],
    ['/auth/revoke', admin, '{"__proto__":{"token":"x"}}', { 'content-type': 'application/json' }, 400],
    ['/auth/revoke', admin, '{', { 'content-type': 'application/json' }, 400],
    ['/auth/revoke', admin, `token=${admin}`, { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['/auth/revoke', admin, JSON.stringify({ token: admin }), { 'content-type': 'text/plain' }, 415],
    ['/auth/revoke-all', admin, { sub: '' }, {}, 400],
    ['/auth/revoke-all', admin, { sub: 'a\0' }, {}, 400],
    ['/auth/revoke-all', make({ scope: 'admin:revokes admin revoke *x' }), { sub: 'x' }, {}, 403],
  ]
  for (const [path, token, body, headers, status] of cases) {
    t.equal(
      (await post(app, path, token, body, headers)).status,
      status,
      `${path} ${JSON.stringify(body).slice(0, 40)}`,
    )
  }
  const told = JSON.stringify(app.signals)
  t.notMatch(told, admin.split('.')[2] as string, 'no token is told')
})

t.test('recheck_secs: what is believed ends with the next revocation here, or with the time', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const options = { backend: 'kvstore', kvstore_url: REDIS, recheck_secs: 60 }
  const app = await openWho(t, HS, [revocation(options)])
  const far = await openWho(t, HS, [revocation(options)])
  const token = make({ sub: randomUUID() })
  t.same([(await app.ask(token)).status, (await far.ask(token)).status, (await far.ask(token)).status], [200, 200, 200])
  await post(app, '/auth/revoke', token, { token })
  t.equal((await app.ask(token)).status, 401)
  t.equal((await far.ask(token)).status, 200, 'the price of not asking')
  const own = make({ sub: randomUUID() })
  await post(far, '/auth/revoke', own, { token: own })
  t.equal((await far.ask(token)).status, 401, 'a revocation makes it ask again')

  const late = make({ sub: randomUUID() })
  t.equal((await far.ask(late)).status, 200)
  await post(app, '/auth/revoke', late, { token: late })
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  const at = now()
  Date.now = () => at + 50_000
  t.equal((await far.ask(late)).status, 200)
  Date.now = () => at + 61_000
  t.equal((await far.ask(late)).status, 401, 'and so does the time')
})

t.test('configurations that revoke nothing', async (t) => {
  for (const [jwt, options, message] of [
    [HS, {}, /needs a backend/],
    [HS, { backend: 'kvstore' }, /no kvstore_url/],
    [HS, { backend: 'sqldb', kvstore_url: REDIS }, /has a kvstore_url, and its backend is "sqldb"/],
    [HS, { backend: 'memory' }, /must be one of/],
    [{}, { backend: 'sqldb' }, /no key verifies any token/],
  ] as const) {
    t.match((await failure(() => openWho(t, jwt, [revocation(options)]))).message, message)
  }
})
