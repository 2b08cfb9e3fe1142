import { randomUUID } from 'node:crypto'
import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Scope } from '../../../core/contract/scope.ts'
import { refuseCredential } from '../../../core/service/lifecycle/refuse-credential.ts'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { openRedis } from '../../../core/service/stores/redis.ts'
import { type TestedPlugin, testPlugin } from '../../../core/testing/testing.ts'
import apiKeys from '../../../plugins/api-keys/index.ts'
import { digestOf, sha256Hash } from '../../../plugins/api-keys/key-format.ts'
import cors from '../../../plugins/cors/index.ts'
import graphql from '../../../plugins/graphql/index.ts'
import health from '../../../plugins/health/index.ts'
import rateLimiting from '../../../plugins/rate-limiting/index.ts'
import { failure, plugin as makePlugin } from '../../helpers/kernel.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { claims, hs256, nowSecs, openWho, plugin, SECRET } from '../jwt/who.ts'

const REDIS = `redis://${SERVICES.redis.host}:${SERVICES.redis.port}`
const HS = { jwt_secret: SECRET }
/** So slow that nothing comes back while a test runs. */
const SLOW = { requests_per_second: 0.01, burst_size: 3 }
const limiting = (options: object = {}) => plugin(rateLimiting, { enabled: true, ...options })
const forged = () => hs256(claims(), 'another secret of thirty-two bytes!')
const token = (sub: string, more: object = {}) => hs256(claims({ sub, ...more }))

/** Every way in that a test needs, and how each refuses. */
const routes = makePlugin('routes', (scope: Scope) => {
  const handler = () => ({ status: 200, headers: {}, body: '{}' })
  scope.route({ method: 'GET', path: '/api/v1/admin/config', anonymous: true, handler })
  for (const path of ['start', 'login', 'callback', 'refresh', 'logout', 'me', 'revoke', 'revoke-all']) {
    scope.route({
      method: 'POST',
      path: `/auth/${path}`,
      anonymous: !['me', 'revoke', 'revoke-all'].includes(path),
      handler(ctx) {
        if (ctx.headers['x-guess'] === undefined) return { status: 200, headers: {}, body: path }
        // Two plugins that refuse the same request are one attempt.
        for (const reason of ['refresh', 'form']) refuseCredential(scope.signals, ctx, 'routes', reason)
        throw new SvcError('UNAUTHENTICATED', 'No.')
      },
    })
  }
})

interface Asked {
  readonly address?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly url?: string
  readonly method?: string
}

async function open(t: TestLike, options: object = {}, more: Parameters<typeof openWho>[2] = []) {
  const app = await openWho(t, HS, [plugin(routes), limiting(options), ...more])
  const ask = async ({ address = '192.0.2.1', token, headers = {}, url = '/who', method = 'GET' }: Asked = {}) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const reply = await app.inject({ method, url, address, headers: { ...authorization, ...headers } })
    return { ...reply, error: reply.status < 400 ? undefined : reply.json<{ error: Record<string, unknown> }>().error }
  }
  const statuses = async (count: number, asked: Asked = {}) => {
    const seen: number[] = []
    for (let i = 0; i < count; i++) seen.push((await ask(asked)).status)
    return seen
  }
  return { ...app, ask, statuses }
}

t.test('a client has its burst, and gets its remaining requests in headers', async (t) => {
  const app = await open(t, { requests_per_second: 2, requests_per_second_per_user: 4, burst_size: 3 })
  const first = await app.ask()
  const now = Math.floor(Date.now() / 1000)
  t.match(first.headers, { 'x-ratelimit-limit': /^2$/, 'x-ratelimit-remaining': /^2$/ })
  const reset = Number(first.headers['x-ratelimit-reset'])
  t.ok(reset >= now && reset <= now + 3, `full again at ${reset}`)
  await app.ask()
  await app.ask()
  const refused = await app.ask()
  t.match(refused, {
    status: 429,
    headers: { 'retry-after': /^1$/, 'x-ratelimit-limit': /^2$/, 'x-ratelimit-remaining': /^0$/ },
    error: { code: 'RATE_LIMITED', message: /Try again in 1 s/, details: { retryAfter: 1, limit: 2, reset: Number } },
  })
  t.equal((await app.ask({ address: '192.0.2.2' })).status, 200, 'everybody has their own')
  const user = await app.ask({ token: token('ann') })
  t.match(
    user,
    { status: 200, headers: { 'x-ratelimit-limit': /^4$/, 'x-ratelimit-remaining': /^5$/ } },
    'twice the rate, twice the burst',
  )
  t.equal(
    (await app.ask({ token: token('ann'), address: '192.0.2.9' })).headers['x-ratelimit-remaining'],
    '4',
    'from wherever',
  )
  t.equal((await app.ask({ token: token('bob') })).headers['x-ratelimit-remaining'], '5')
  await new Promise((done) => setTimeout(done, 700))
  t.equal((await app.ask()).status, 200, 'it fills up again')
})

t.test('defaults: 100 a second, ten times that for users, a burst of 200', async (t) => {
  const app = await open(t)
  t.match((await app.ask()).headers, { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '199' })
  t.match((await app.ask({ token: token('ann') })).headers, {
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '1999',
  })
})

t.test('requests count for the credential or for the address', async (t) => {
  const app = await open(t, SLOW)
  t.same(await app.statuses(4, { token: forged() }), [401, 401, 401, 429], 'a bad credential counts for its address')
  t.same(await app.statuses(1), [429], 'and so does none')
  const left = async (asked: Asked) => (await app.ask(asked)).headers['x-ratelimit-remaining']
  t.equal(await left({ token: hs256({ exp: nowSecs() + 60 }), address: '192.0.2.3' }), '2', 'a token that names nobody')
  t.equal(await left({ address: '192.0.2.3' }), '1', 'counts for its address, too')
  t.equal(await left({ token: token('x'.repeat(3000)) }), '29')
  t.equal(await left({ token: token(`${'x'.repeat(2999)}y`) }), '29', 'long names are not mixed up')
  t.equal(await left({ token: token('ann', { iss: 'a' }) }), '29')
  t.equal(await left({ token: token('ann', { iss: 'b' }) }), '29', 'nor those of two issuers')
  for (const sub of ['__proto__', 'constructor', 'a\nb', '\0'])
    t.equal(await left({ token: token(sub) }), '29', JSON.stringify(sub))
  const networks = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0DB8:1:2:0:0:0:3%eth0']
  t.same(
    await Promise.all(networks.map((address) => left({ address }))),
    ['2', '1', '0'],
    'an IPv6 network of 64 bits is one client',
  )
  t.equal(await left({ address: '2001:db8:1:3::1' }), '2')
  t.same(
    [await left({ address: '192.0.2.77' }), await left({ address: '::ffff:192.0.2.77' })],
    ['2', '1'],
    'IPv4 in both spellings',
  )
})

t.test('health and metrics are not limited', async (t) => {
  const app = await open(t, { ...SLOW, burst_size: 1 }, [plugin(health)])
  t.same(await app.statuses(3, { url: '/health/live' }), [200, 200, 200])
  t.equal((await app.ask({ url: '/health/live' })).headers['x-ratelimit-limit'], undefined)
  t.same(await app.statuses(2, { url: '/health/li%76e' }), [200, 200], 'the same route in other letters')
  t.same(await app.statuses(2, { url: 'http://x/health/live' }), [200, 200], 'and in absolute form')
  t.same(await app.statuses(2, { url: '/health/nowhere' }), [404, 429], 'a path that only looks like one counts')
})

t.test('an operator is a client, and his token no forged one', async (t) => {
  const app = await open(t, { burst_size: 30, requests_per_second: 0.01, failed_login_max_attempts: 2 })
  const asked = { url: '/api/v1/admin/config', token: 'an operator has a token that is no JWT' }
  t.same(await app.statuses(9, asked), Array(9).fill(200))
  t.equal((await app.ask(asked)).headers['x-ratelimit-remaining'], '20', 'counted by address')
  t.equal((await app.ask({ ...asked, url: '/who' })).status, 401, 'nobody was locked out')
})

t.test('every front tells it in its shape, a page may read it, a preflight costs nothing', async (t) => {
  const app = await open(t, { ...SLOW, burst_size: 1 }, [
    plugin(graphql),
    plugin(cors, { origins: ['https://a.example'] }),
  ])
  const ask = (method: string, headers = {}) =>
    app.inject({
      method,
      url: '/graphql',
      headers: { origin: 'https://a.example', ...headers },
      ...(method === 'POST' ? { body: { query: '{ __typename }' } } : {}),
    })
  for (let i = 0; i < 3; i++) t.equal((await ask('OPTIONS', { 'access-control-request-method': 'POST' })).status, 204)
  t.equal((await ask('POST')).status, 200)
  const refused = await ask('POST')
  t.match(refused, {
    status: 429,
    headers: { 'retry-after': '100', 'access-control-allow-origin': 'https://a.example' },
  })
  t.match(refused.json(), {
    errors: [{ extensions: { code: 'RATE_LIMITED', statusCode: 429, retryAfter: 100, limit: 0.01, reset: Number } }],
  })
  t.match(refused.headers['access-control-expose-headers'], /X-RateLimit-Remaining/)
})

t.test('an exchange that came another way is counted, what the service asks itself is not', async (t) => {
  let scope = null as Scope | null
  const front = makePlugin('front', (given: Scope) => {
    scope = given
  })
  await open(t, { ...SLOW, burst_size: 2 }, [plugin(front)])
  const ok = () => ({ status: 200, headers: {}, body: '' })
  const enter = async (transport: 'websocket' | 'stdio' | 'internal', more: object = {}) =>
    (await scope!.pipeline.enter({ transport, ...more }, ok)).status
  const three = async (...args: Parameters<typeof enter>) => [
    await enter(...args),
    await enter(...args),
    await enter(...args),
  ]
  t.same(await three('websocket', { address: '192.0.2.1' }), [200, 200, 429])
  t.same(await three('stdio'), [200, 200, 429])
  t.same(await three('websocket'), [200, 200, 429], 'a client without an address counts by its transport')
  t.same(await three('internal'), [200, 200, 200])
  const ann = { subject: 'ann', claims: {}, scopes: [], roles: [], method: 'jwt' }
  t.equal(await enter('websocket', { address: '192.0.2.1', auth: ann }), 200, 'a user by the user')
})

t.test('windows of the places where people log in', async (t) => {
  const app = await open(t, { auth_start_max_requests: 2, auth_refresh_max_requests: 1, auth_refresh_window_secs: 300 })
  const post = (path: string, count: number, address = '192.0.2.1') =>
    app.statuses(count, { method: 'POST', url: path, address })
  t.same(await post('/auth/start', 1), [200])
  t.same(await post('/auth/login', 2), [200, 429], 'another name of the same place')
  t.same(await post('/auth/st%61rt', 1), [429], 'and another spelling')
  t.same(await post('http://x/auth/start', 1), [429], 'and absolute')
  t.same(await post('HTTP://x/auth/st%61rt?x', 1), [429])
  t.same(await post('/auth/start#x', 1), [400], 'which is none')
  t.same(await post('/auth/start', 1, '192.0.2.2'), [200])
  t.same(await post('/auth/callback', 11), [...Array(10).fill(200), 429], 'the default')
  t.same(await post('/auth/logout', 31), [...Array(30).fill(200), 429])
  t.same(await post('/auth/me', 40), Array(40).fill(200), 'no place for logging in')
  t.same(await post('/auth/refresh', 1), [200])
  t.match(await app.ask({ method: 'POST', url: '/auth/refresh' }), {
    status: 429,
    // Those of the window that refuses, not those of the bucket that still had room.
    headers: {
      'retry-after': /^(300|299)$/,
      'x-ratelimit-limit': /^1$/,
      'x-ratelimit-remaining': /^0$/,
      'x-ratelimit-reset': /^\d{10}$/,
    },
    error: { code: 'RATE_LIMITED', message: /^Too many attempts\. Try again in \d+ s\.$/, details: { limit: 1 } },
  })
})

const KEY = 'svc_0123456789abcdef.a-key-of-the-limits-that-is-long-enough-to-be-one'
const keys = plugin(apiKeys, {
  enabled: true,
  storage: 'env',
  static: [{ name: 'job', key_hash: sha256Hash(digestOf(KEY)), scopes: [] }],
})

t.test('places under /auth/ for callers are in the window of all of them, and in their own bucket', async (t) => {
  const app = await open(t, { auth_endpoint_max_requests: 2 })
  const at = (url: string) => app.ask({ method: 'POST', url, token: token('ann') })
  t.match((await at('/auth/me')).headers, { 'x-ratelimit-limit': /^1000$/ })
  t.equal((await at('/auth/revoke')).status, 200)
  t.match(await at('/auth/revoke-all'), { status: 429, headers: { 'x-ratelimit-limit': /^2$/ } })
  t.equal((await app.ask({ token: token('ann') })).status, 200, 'elsewhere there is none')
})

t.test('a caller with too many failures is locked out, also with a valid credential', async (t) => {
  const app = await open(t, { failed_login_max_attempts: 4, failed_login_lockout_secs: 900 }, [keys])
  // One id for all of them: the client chooses it.
  const headers = { 'x-request-id': 'always-the-same' }
  const key = (value: string) => ({ headers: { ...headers, 'x-api-key': value } })
  t.same(await app.statuses(2, key('guess')), [401, 401])
  t.equal((await app.ask(key(KEY))).status, 200, 'a success in between')
  t.equal(
    (await app.ask({ method: 'POST', url: '/auth/refresh', headers: { ...headers, 'x-guess': '1' } })).status,
    401,
  )
  t.equal((await app.ask(key(KEY))).status, 200, 'three of four')
  t.equal((await app.ask({ token: forged(), headers })).status, 401, 'a forged token is no guess')
  t.equal((await app.ask(key('guess'))).status, 429, 'the one that is too many')
  const locked = {
    status: 429,
    headers: {
      'retry-after': /^(900|899)$/,
      'x-ratelimit-limit': /^0$/,
      'x-ratelimit-remaining': /^0$/,
      'x-ratelimit-reset': /^\d{10}$/,
    },
    error: { code: 'RATE_LIMITED', message: /^Too many failed attempts to log in\./ },
  }
  const bad = await app.ask(key('another'))
  const good = await app.ask(key(KEY))
  t.match(bad, locked, 'starts no new guess')
  t.same([good.status, good.error], [bad.status, bad.error], 'a good one is told the same')
  t.match(await app.ask({ method: 'POST', url: '/auth/start' }), locked)
  t.equal((await app.ask()).status, 200, 'without a credential it goes on')
  t.equal((await app.ask({ token: token('ann') })).status, 200, 'and with a token, which nobody guesses')
  for (const url of ['/auth/revoke', '/auth/revoke-all', '/auth/me'])
    t.equal((await app.ask({ method: 'POST', url, token: token('ann') })).status, 200, `who ends a token at ${url}`)
  t.match(await app.ask({ method: 'POST', url: '/auth/revoke', ...key(KEY) }), locked, 'but with no key')
  t.equal((await app.ask({ ...key(KEY), address: '192.0.2.2' })).status, 200, 'from elsewhere, too')
})

t.test('forged tokens lock out who forges, and no visitor at the same address', async (t) => {
  const app = await open(t, { failed_login_max_attempts: 3 }, [keys])
  t.same(await app.statuses(5, { token: forged() }), [401, 401, 429, 429, 429])
  t.equal((await app.ask({ token: token('ann') })).status, 200, 'a good token')
  t.equal((await app.ask({ headers: { 'x-api-key': KEY } })).status, 200, 'a good key')
  t.equal((await app.ask({ method: 'POST', url: '/auth/start' })).status, 200, 'a login')
  t.equal((await app.ask({ token: token('ann', { exp: nowSecs() - 500 }) })).status, 401, 'who has to refresh is told')
  t.equal((await app.ask()).status, 200)
})

t.test('expired tokens do not count as failed logins', async (t) => {
  const app = await open(t, { failed_login_max_attempts: 2 })
  const old = token('ann', { exp: nowSecs() - 500 })
  t.same(await app.statuses(4, { token: old }), [401, 401, 401, 401], 'a page that was left open')
  t.same(await app.statuses(3, { token: forged() }), [401, 429, 429], 'the one that is too many is told so itself')
  const parallel = await open(t, { failed_login_max_attempts: 5 })
  const all = await Promise.all(
    Array.from({ length: 12 }, () => parallel.ask({ token: forged(), headers: { 'x-request-id': 'one' } })),
  )
  t.ok(all.every(({ status }) => status === 401 || status === 429))
  t.equal((await parallel.ask({ token: forged() })).status, 429, 'all at once under one id are many')
})

t.test('Redis: all instances count together', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const client = `198.51.100.${process.pid % 250}`
  const user = randomUUID()
  t.teardown(async () => {
    const redis = await openRedis(REDIS, { signals: createSignals() })
    for (const pattern of [`*${client}`, 'user:*']) {
      const keys = (await redis.call('KEYS', `svc:my-svc-app:rate:${pattern}`)) as string[]
      if (keys.length > 0) await redis.call('DEL', ...keys)
    }
    await redis.close()
  })
  const options = { ...SLOW, kvstore_url: REDIS, auth_start_max_requests: 2, failed_login_max_attempts: 2 }
  const [one, two] = [await open(t, options), await open(t, options)]
  const at = { address: client }
  t.same([...(await one.statuses(2, at)), ...(await two.statuses(2, at))], [200, 200, 200, 429])
  t.match((await one.ask(at)).headers, {
    'x-ratelimit-limit': '0.01',
    'x-ratelimit-remaining': /^0$/,
    'retry-after': '100',
  })
  const asUser = { token: token(user), address: client }
  const burst = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : two).ask(asUser)))
  t.equal(burst.filter(({ status }) => status === 200).length, 30, 'at once, to the letter')

  const wide = { ...options, burst_size: 500 }
  const [three, four] = [await open(t, wide), await open(t, wide)]
  const login = { method: 'POST', url: '/auth/start', address: `2001:db8:${process.pid % 9999}::1` }
  t.teardown(async () => {
    const redis = await openRedis(REDIS, { signals: createSignals() })
    const keys = (await redis.call('KEYS', `svc:my-svc-app:rate:*2001:db8:${process.pid % 9999}:*`)) as string[]
    if (keys.length > 0) await redis.call('DEL', ...keys)
    await redis.close()
  })
  t.same([...(await three.statuses(1, login)), ...(await four.statuses(2, login))], [200, 200, 429])
  const from = { address: login.address }
  t.same(
    [(await three.ask({ ...from, token: forged() })).status, (await four.ask({ ...from, token: forged() })).status],
    [401, 429],
  )
  // What was counted last is on its way.
  for (let i = 0; i < 50 && (await three.ask({ ...from, token: forged() })).status === 401; i++)
    await new Promise((done) => setTimeout(done, 20))
  for (const app of [three, four]) {
    t.equal((await app.ask({ ...from, token: forged() })).status, 429, 'locked out everywhere')
    t.equal((await app.ask({ ...from, token: token(`${user}-2`) })).status, 200, 'and nobody else at the address')
  }
  t.equal((await four.ask(from)).status, 200)
})

t.test('a store that is away is never memory instead', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const proxy = await createTcpProxy(t, SERVICES.redis.host, SERVICES.redis.port)
  const url = `redis://127.0.0.1:${proxy.port}`
  const address = `203.0.113.${process.pid % 250}`
  const options = { ...SLOW, kvstore_url: url }
  const lax = await open(t, options)
  const strict = await open(t, { ...options, fail_open: false })
  await proxy.cut()
  t.same(await lax.statuses(5, { address }), [200, 200, 200, 200, 200], 'served, and not counted')
  t.match(await strict.ask({ address }), {
    status: 503,
    headers: { 'retry-after': /^1$/ },
    error: { code: 'SERVICE_UNAVAILABLE' },
  })
  t.equal((await lax.ask({ method: 'POST', url: '/auth/refresh', address })).status, 503, 'nobody logs in uncounted')
  const bounded = await open(t, { ...options, auth_endpoint_max_requests: 1 })
  const end = { method: 'POST', url: '/auth/revoke', token: token('ann'), address }
  for (const app of [lax, bounded]) t.same(await app.statuses(2, end), [200, 200], 'a token can be ended')
  t.equal((await strict.ask(end)).status, 503)
  t.ok(
    lax.signals.some(({ type }) => type === 'store-down'),
    'and it is said',
  )
  t.equal((await lax.ask({ address, token: forged() })).status, 401, 'a failure that cannot be counted ends nothing')
})

t.test('the health of the service includes the store, which fail_open makes optional', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  for (const [options, part] of [
    [{ kvstore_url: REDIS }, { url: REDIS, isNeeded: false }],
    [
      { kvstore_url: REDIS, fail_open: true },
      { url: REDIS, isNeeded: false },
    ],
    [
      { kvstore_url: REDIS, fail_open: false },
      { url: REDIS, isNeeded: true },
    ],
    [{}, { url: undefined, isNeeded: false }],
  ] as const) {
    const parts: unknown[] = []
    const health = makePlugin('health', (scope: Scope) => {
      scope.provide('health', { add() {}, addStore: (...part) => void parts.push(part) })
    })
    await open(t, options, [plugin(health)])
    t.strictSame(parts, [['rate_limiting', part]], JSON.stringify(options))
  }
})

t.test('the old names', async (t) => {
  const boot = (enterprise: object, options: object = {}) =>
    testPlugin(rateLimiting, { options: { enabled: true, ...options }, config: { security: { enterprise } } })
  const post = (app: TestedPlugin) => app.inject({ method: 'POST', url: '/auth/anything' })
  const old = await boot({ rate_limiting_enabled: true })
  t.match(old.takeReported(), [
    { message: /rate_limiting_enabled: old names\. The section for this is \[security\.rate_limiting\]/ },
  ])
  for (let i = 0; i < 100; i++) t.equal((await post(old)).status, 404)
  t.equal((await post(old)).status, 429, 'a hundred a minute')
  await old.close()
  const own = await boot({ auth_endpoint_max_requests: 1 }, { auth_endpoint_max_requests: 1 })
  own.takeReported()
  t.same([(await post(own)).status, (await post(own)).status], [404, 429])
  await own.close()
})

t.test('configurations that cannot be meant', async (t) => {
  const boot = (options: object) => failure(() => open(t, options))
  t.match(await boot({ trusted_proxies: ['10.0.0.0/8'] }), {
    message: /trusted_proxies and proxy_header count with trust_proxy_headers = true/,
  })
  for (const network of ['10.0.0.0/33', '10.0.0/8', 'example.com', '10.0.0.1/8/9', '::1/129', '10.0.0.1/'])
    t.match(
      await boot({ trust_proxy_headers: true, trusted_proxies: [network] }),
      { message: /is no address and no network/ },
      network,
    )
  for (const proxy_header of ['x-forwarded-for', 'x-real-ip']) {
    const app = await open(t, { ...SLOW, trust_proxy_headers: true, proxy_header })
    t.same(await app.statuses(4, { headers: { [proxy_header]: '192.0.2.50' } }), [200, 200, 200, 429], proxy_header)
    t.same(
      await app.statuses(1, { headers: { [proxy_header]: '192.0.2.51' } }),
      [200],
      'another client has its own bucket',
    )
    t.match(await boot({ proxy_header }), { message: /proxy_header count with trust_proxy_headers = true/ })
  }
  t.match(await boot({ trust_proxy_headers: true, proxy_header: 'forwarded' }), { message: /proxy_header/ })
  t.match(await boot({ requests_per_second: 0 }), { message: /requests_per_second` must be >= 0\.001/ })
  t.match(await boot({ burst_siz: 3 }), { message: /burst_size/ })
  t.match(await boot({ kvstore_url: 'http://x' }), { message: /kvstore_url is "redis:/ })
  process.env.SVC_REQUIRE_KVSTORE = '1'
  t.teardown(() => delete process.env.SVC_REQUIRE_KVSTORE)
  t.match(await boot({}), { message: /SVC_REQUIRE_KVSTORE is 1/ })
})
