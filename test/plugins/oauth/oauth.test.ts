import { createHash, randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import t from 'tap'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { MemoryStore } from '../../../core/service/stores/memory-store.ts'
import { openRedis } from '../../../core/service/stores/redis.ts'
import { setCookie } from '../../../plugins/oauth/cookies.ts'
import { createPendingLogins } from '../../../plugins/oauth/pending-logins.ts'
import { type Session, Sessions } from '../../../plugins/oauth/sessions.ts'
import { createSeal } from '../../../plugins/state-encryption/index.ts'
import tokenRevocation from '../../../plugins/token-revocation/index.ts'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { failure } from '../../helpers/kernel.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { claims, hs256, plugin } from '../jwt/who.ts'
import { logIn, serveProvider } from './provider.ts'
import { APP_PAGE, CALLBACK, openShop, pairOf, USERS } from './world.ts'

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** `<id>.<secret>`, each of 256 bits. */
const SECRETS = /^[\w-]{43}\.[\w-]{43}$/
const ACCESS = '__Host-access_token'
const REFRESH = '__Host-refresh_token'
const REDIS = `redis://${SERVICES.redis.host}:${SERVICES.redis.port}`
const OWN = { 'sec-fetch-site': 'same-origin' }
const query = (values: Record<string, string>): string => `?${new URLSearchParams(values)}`
const APP = query({ redirect_uri: APP_PAGE })

const TOKENS = { access_token: 'a token', refresh_token: 'a secret' }
type Body = Readonly<Record<string, unknown>>
/** An answer with tokens, to be compared whole. */
const withoutSecrets = (body: Body): Body => ({
  ...body,
  ...(JWT.test(String(body.access_token)) && { access_token: 'a token' }),
  ...(SECRETS.test(String(body.refresh_token)) && { refresh_token: 'a secret' }),
})

/** Services that share the database close it: they live as long as the file. */
const root = t

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: USERS })
  const database = await openTestDatabase(t, { kind: 'postgres', url } as never)
  const { issuer } = await serveProvider(t, [CALLBACK])
  const other = await serveProvider(t, [CALLBACK])
  const shop = await openShop(root, issuer, {
    rest: { database },
    more: [plugin(tokenRevocation, { enabled: true, backend: 'sqldb' })],
  })
  const refresh = (token: string) => shop.ask2('POST', '/auth/refresh', {}, { refresh_token: token })

  t.test('the whole flow: start, provider, callback, me, refresh, logout', async (t) => {
    const { url, cookie, state } = await shop.start()
    const asked = new URL(url)
    t.equal(asked.origin, issuer)
    t.match(Object.fromEntries(asked.searchParams), {
      response_type: 'code',
      client_id: 'shop',
      redirect_uri: CALLBACK,
      scope: 'openid profile email',
      code_challenge: /^[\w-]{43}$/,
      code_challenge_method: 'S256',
      nonce: /^[\w-]{43}$/,
    })
    t.equal((await shop.start()).state === state, false)
    const back = await logIn(url, 'ann')
    const done = await shop.ask2('GET', `/auth/callback${back.search}`, { cookie })
    t.match(done, { status: 200, headers: { 'cache-control': 'no-store' } })
    t.strictSame(withoutSecrets(done.body), { ...TOKENS, token_type: 'Bearer', expires_in: 3600 })
    t.same(done.cookies, [], 'who has the tokens needs no cookie')
    const token = String(done.body.access_token)
    const { iat = 0, exp = 0, jti, ...claims } = decodeJwt(token)
    t.strictSame(claims, {
      iss: 'https://shop.example',
      aud: 'shop',
      sub: '1',
      email: 'ann@example.com',
      roles: ['customer'],
    })
    t.match(jti, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    t.equal(exp - iat, 3600)
    t.match(await shop.ask(token), { status: 200, auth: { subject: /^1$/, roles: ['customer'], method: 'jwt' } })
    const me = await shop.ask2('GET', '/auth/me', { authorization: `Bearer ${token}` })
    t.equal(me.status, 200)
    t.strictSame(me.body, {
      sub: '1',
      user_id: '1',
      email: 'ann@example.com',
      roles: ['customer'],
      expires_at: new Date(exp * 1000).toISOString(),
    })
    t.equal((await shop.ask2('GET', '/auth/me')).status, 401)

    const again = await refresh(String(done.body.refresh_token))
    t.equal(again.status, 200)
    t.strictSame(withoutSecrets(again.body), { ...TOKENS, token_type: 'Bearer', expires_in: 3600 })
    t.not(again.body.refresh_token, done.body.refresh_token)
    t.equal((await shop.ask(again.body.access_token)).status, 200)

    const authorization = `Bearer ${again.body.access_token}`
    const out = await shop.ask2('POST', '/auth/logout', { authorization }, { refresh_token: again.body.refresh_token })
    t.equal(out.status, 204)
    t.match(out.cookies, [/^__Host-access_token=;.*Max-Age=0/, /^__Host-refresh_token=;.*Max-Age=0/])
    t.equal((await shop.ask(again.body.access_token)).status, 401, 'its token ended with it')
    const ended = await refresh(String(again.body.refresh_token))
    t.match(ended, { status: 401, body: { error: 'invalid_grant' } })
    t.strictSame(Object.keys(ended.body).sort(), ['code', 'error', 'error_description'])
  })

  t.test('by POST, for pages and apps that want the address', async (t) => {
    const started = await shop.ask2('POST', '/auth/start', {}, { provider: 'oidc' })
    t.match(started, { status: 200, body: { authorization_url: /^http/, state: /^[\w.-]{40,}$/ } })
    t.strictSame(Object.keys(started.body).sort(), ['authorization_url', 'state'])
    const back = await logIn(String(started.body.authorization_url), 'bob')
    const cookie = started.cookies[0]?.split(';')[0] ?? ''
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const done = await shop.ask2('POST', '/auth/callback', { cookie, ...form }, back.searchParams.toString())
    t.match(done, { status: 200, body: { access_token: JWT } })
    t.strictSame(withoutSecrets(done.body), { ...TOKENS, token_type: 'Bearer', expires_in: 3600 })
    const [row] = await runOnServer(
      new URL(url).pathname.slice(1),
      "SELECT provider, email FROM users WHERE subject = 'bob'",
    )
    t.match(row, { provider: 'oidc', email: 'bob@example.com' }, 'the function was given the profile')
  })

  t.test(
    'a token that no browser keeps as a cookie is an error that says so, and not a login that is none',
    async (t) => {
      const setRoles = (count: number) =>
        runOnServer(
          new URL(url).pathname.slice(1),
          `UPDATE users SET roles = ARRAY(SELECT 'role-' || n FROM generate_series(1, ${count}) n) WHERE subject = 'carl'`,
        )
      t.match(
        (await shop.login('carl', APP)).cookies,
        [/^__Host-access_token=/, /^__Host-refresh_token=/],
        'the twin that passes',
      )
      await setRoles(400)
      const refused = await shop.login('carl', APP)
      t.strictSame([refused.status, refused.cookies, refused.headers.location], [502, [], undefined])
      t.strictSame(Object.keys(refused.body).sort(), ['code', 'error', 'error_description'])
      t.match(refused.body, {
        error: 'login_failed',
        code: 'OAUTH_EXCHANGE_FAILED',
        error_description: /__Host-access_token \d{4,5} bytes long, and browsers keep 4096\. Name fewer claims/,
      })
      t.equal((await shop.login('carl')).status, 200, 'who takes the token in the body has no such bound')
      await setRoles(1)
      const done = await shop.login('carl', APP)
      t.equal(done.status, 302)
      const cookie = done.cookies.map((each) => each.split(';')[0]).join('; ')
      await setRoles(400)
      const renewed = await shop.ask2('POST', '/auth/refresh', { cookie, ...OWN })
      t.strictSame([renewed.status, renewed.cookies, renewed.body.error], [502, [], 'login_failed'], 'nor a refresh')
      await setRoles(1)
    },
  )

  t.test('a cookie has 4,096 bytes with its attributes', async (t) => {
    const attributes = setCookie('__Host-x', '', 60).length
    t.equal(setCookie('__Host-x', 'a'.repeat(4096 - attributes), 60).length, 4096)
    const longer = () => setCookie('__Host-x', 'a'.repeat(4097 - attributes), 60)
    t.throws(longer, { error: 'login_failed', message: /cookie __Host-x 4097 bytes long/ })
  })

  t.test('for web apps: cookies that no script, no other site and no plain connection sees', async (t) => {
    const { url, cookie } = await shop.start(APP)
    t.match((await shop.ask2('GET', '/auth/start')).cookies, [
      /^__Host-oauth_login=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=600$/,
    ])
    const back = await logIn(url, 'ann')
    const done = await shop.ask2('GET', `/auth/callback${back.search}`, { cookie })
    t.match(done, { status: 302, headers: { location: APP_PAGE, 'cache-control': 'no-store' } })
    t.match(done.cookies, [
      /^__Host-access_token=[\w.-]+; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=3600$/,
      /^__Host-refresh_token=[\w.-]+; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=1209\d\d\d$/,
    ])
    t.equal(done.headers.location, APP_PAGE, 'nothing of the login stands in the address')

    const access = pairOf(done.cookies, ACCESS)
    const who = (headers: Record<string, string>) => shop.ask({ cookie: access, ...headers })
    t.match(await who(OWN), { status: 200, auth: { method: 'jwt' } })
    t.match(await who({ 'sec-fetch-site': 'none' }), { auth: { method: 'jwt' } })
    t.match(await who({ origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' }), { auth: { method: 'jwt' } })
    t.equal((await who({ 'sec-fetch-site': 'cross-site' })).auth, null, 'a link from elsewhere is nobody')
    t.equal((await who({})).auth, null, 'nor who does not say where it comes from')
    t.match(await shop.ask({ cookie: `x=1; ${access}; ${access}`, ...OWN }), { auth: null }, 'two are none')
    const mine = hs256(claims({ sub: 'header', iss: 'https://shop.example', aud: 'shop' }))
    t.match(await who({ ...OWN, authorization: `Bearer ${mine}` }), { auth: { subject: 'header' } }, 'the header wins')
    t.equal((await who({ ...OWN, cookie: `${access}x` })).status, 401, 'a bad one is bad')

    const write = async (headers: Record<string, string>) =>
      (await shop.ask2('POST', '/write', { cookie: access, ...headers }, {})).status
    t.equal(await write(OWN), 200)
    t.equal(await write({ origin: 'http://localhost:7777' }), 200)
    for (const headers of [
      {},
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:5173.evil.example' },
      { origin: 'https://localhost:5173' },
      { host: 'evil.example', origin: 'http://evil.example' },
    ]) {
      t.equal(await write(headers as Record<string, string>), 403, JSON.stringify(headers))
    }

    const refreshing = pairOf(done.cookies, REFRESH)
    t.equal((await shop.ask2('POST', '/auth/refresh', { cookie: refreshing })).status, 403, 'CSRF')
    const [fresh, twin] = await Promise.all([
      shop.ask2('POST', '/auth/refresh', { cookie: refreshing, ...OWN }),
      shop.ask2('POST', '/auth/refresh', { cookie: refreshing, ...OWN }),
    ])
    t.match(twin, { status: 200 }, 'two tabs at once')
    t.equal(pairOf(twin.cookies, REFRESH), pairOf(fresh.cookies, REFRESH), 'keep one session')
    t.same(Object.keys(fresh.body), ['token_type', 'expires_in'], 'what scripts may not read is not in the body')
    t.equal(fresh.cookies.length, 2)
    const all = `${pairOf(fresh.cookies, ACCESS)}; ${pairOf(fresh.cookies, REFRESH)}`
    t.equal((await shop.ask2('POST', '/auth/logout', { cookie: all, 'sec-fetch-site': 'same-site' })).status, 403)
    t.same((await shop.ask2('POST', '/auth/logout', {})).cookies, [], "another site's form takes no cookies away")
    t.equal((await shop.ask2('POST', '/auth/logout', { cookie: all, ...OWN })).status, 204)
    t.equal((await shop.ask({ cookie: pairOf(fresh.cookies, ACCESS), ...OWN })).status, 401)
    const over = await shop.ask2('POST', '/auth/refresh', { cookie: pairOf(fresh.cookies, REFRESH), ...OWN })
    t.match(over, { status: 401, cookies: [/^__Host-refresh_token=;/] })
  })

  t.test('states: replayed, altered, of another browser, of another provider, without a login', async (t) => {
    const fault = {
      status: 400,
      body: { error: 'invalid_request', error_description: /^This login is not known here/ },
    }
    const { url, cookie, state } = await shop.start()
    const back = await logIn(url, 'ann')
    const answer = (values: Record<string, string>, cookies = cookie) =>
      shop.ask2('GET', `/auth/callback${query({ ...Object.fromEntries(back.searchParams), ...values })}`, {
        cookie: cookies,
      })
    const altered = `${state.slice(0, 20)}${state[20] === 'A' ? 'B' : 'A'}${state.slice(21)}`
    t.match(await answer({ state: altered }), fault, 'altered')
    t.match(await answer({ state: '' }), fault)
    t.match(await answer({ state: 'x' }), fault)
    t.match(await answer({}), { status: 200 }, 'none of these used it up')
    t.match(await answer({}), fault, 'replayed')
    const told = shop.signals.filter((signal) => signal.type === 'credential-refused' && signal.method === 'oauth')
    t.ok(told.length >= 4, 'whoever counts failed logins is told')

    const mine = await shop.start()
    const victim = await shop.start()
    const code = await logIn(mine.url, 'mallory')
    t.match(await shop.ask2('GET', `/auth/callback${code.search}`, { cookie: victim.cookie }), fault, 'login CSRF')
    const second = await shop.start()
    const bare = await logIn(second.url, 'ann')
    t.match(await shop.ask2('GET', `/auth/callback${bare.search}`), fault, 'without the cookie')

    const third = await shop.start()
    const mixed = await logIn(third.url, 'ann')
    mixed.searchParams.set('iss', other.issuer)
    t.match(await shop.ask2('GET', `/auth/callback${mixed.search}`, { cookie: third.cookie }), fault, 'mixed up')
    const fourth = await shop.start()
    const silent = await logIn(fourth.url, 'ann')
    silent.searchParams.delete('iss')
    t.match(
      await shop.ask2('GET', `/auth/callback${silent.search}`, { cookie: fourth.cookie }),
      { status: 502, body: { error: 'login_failed' } },
      'a provider that says who it is always says it',
    )

    const fifth = await shop.start()
    const twice = await logIn(fifth.url, 'ann')
    t.match(await shop.ask2('GET', `/auth/callback${twice.search}&code=x`, { cookie: fifth.cookie }), { status: 400 })
  })

  t.test('a code without its verifier: stolen on the way, it is worth nothing', async (t) => {
    const stolenFrom = await shop.start()
    const code = (await logIn(stolenFrom.url, 'ann')).searchParams.get('code') ?? ''
    const own = await shop.start()
    const search = query({ code, state: own.state, iss: issuer })
    const stolen = await shop.ask2('GET', `/auth/callback${search}`, { cookie: own.cookie })
    t.match(stolen, { status: 502, body: { error: 'login_failed', error_description: /^The login at oidc failed/ } })
    t.ok(
      shop.signals.some((signal) => signal.type === 'request-failed' && /OAUTH_EXCHANGE/.test(signal.code)),
      'the log knows',
    )
  })

  t.test('refused, unknown and failing logins', async (t) => {
    const { url, cookie } = await shop.start()
    const back = await logIn(url, null)
    t.match(await shop.ask2('GET', `/auth/callback${back.search}`, { cookie }), {
      status: 400,
      body: { error: 'invalid_request' },
    })
    const text = JSON.stringify(await shop.ask2('GET', `/auth/callback${back.search}`, { cookie }))
    t.notMatch(text, /<b>/, 'what the provider says is not said again')
    t.match(await shop.login('banned'), { status: 403, body: { error: 'access_denied' } })
    const broken = await shop.login('broken')
    t.not(broken.status, 200)
    t.notMatch(JSON.stringify(broken.body), /SELECT|users|at .*\.ts/)
    const lost = await openShop(root, issuer, { options: { user_function: 'fn_nobody' }, rest: { database } })
    t.match(await lost.login('ann'), { status: 500, body: { error: 'server_error' } })
  })

  t.test('where a login leads to is on the list, to the letter', async (t) => {
    for (const uri of [
      'https://evil.example/welcome',
      `${APP_PAGE}/`,
      `${APP_PAGE}?x=1`,
      `${APP_PAGE}#x`,
      `${APP_PAGE}/../other`,
      APP_PAGE.toUpperCase(),
      '//localhost:5173/welcome',
      'http://localhost:5173@evil.example/welcome',
      'http://localhost:5173.evil.example/welcome',
      'javascript:alert(1)',
      '/welcome',
      'http:/localhost:5173/welcome',
      ` ${APP_PAGE}`,
      `${APP_PAGE}\r\nset-cookie: a=b`,
      'x'.repeat(20_000),
    ]) {
      const got = await shop.ask2('GET', `/auth/start${query({ redirect_uri: uri })}`)
      t.match(
        got,
        { status: 400, body: { error: 'invalid_request' }, headers: { location: undefined } },
        uri.slice(0, 40),
      )
    }
    for (const search of [
      query({ provider: 'x' }),
      '?redirect_url=x',
      `${APP}&redirect_uri=https://evil.example`,
      '?__proto__=x',
    ]) {
      t.equal((await shop.ask2('GET', `/auth/start${search}`)).status, 400, search)
    }
    const bodies: readonly (readonly [unknown, Record<string, string>, number])[] = [
      ['{', { 'content-type': 'application/json' }, 400],
      ['[]', { 'content-type': 'application/json' }, 400],
      [{ provider: { $ne: 1 } }, {}, 400],
      ['{"__proto__":"x"}', { 'content-type': 'application/json' }, 400],
      ['provider=oidc', { 'content-type': 'text/plain' }, 415],
    ]
    for (const [body, headers, status] of bodies) {
      t.equal((await shop.ask2('POST', '/auth/start', headers, body)).status, status, JSON.stringify(body))
    }
    t.equal(
      (await shop.ask2('GET', '/auth/start', { authorization: 'Bearer bad' })).status,
      302,
      'who has a bad token gets a good one',
    )
  })

  t.test('a refresh token is good once, and ends with what it was made of', async (t) => {
    const first = String((await shop.login('carol')).body.refresh_token)
    const second = String((await refresh(first)).body.refresh_token)
    t.equal((await refresh(first)).body.refresh_token, second, 'a slower tab is given what the quicker one was')
    const third = String((await refresh(second)).body.refresh_token)
    t.match(await refresh(first), { status: 401 }, 'an older one was stolen')
    t.match(await refresh(third), { status: 401 }, 'so that nobody has the session any more')
    for (const bad of ['x', 'x.y', `${third}.z`, '.', third.split('.')[0] as string])
      t.equal((await refresh(bad)).status, 401, bad)

    const frank = (await shop.login('frank')).body
    await shop.ask2('POST', '/auth/logout', {}, { refresh_token: frank.refresh_token })
    t.equal((await shop.ask(frank.access_token)).status, 401, 'a logout ends the token that the session gave last')

    const grace = (await shop.login('grace')).body
    const heidi = (await shop.login('grace')).body
    const early = `Bearer ${grace.access_token}`
    const later = (await refresh(String(grace.refresh_token))).body
    t.equal((await shop.ask2('POST', '/auth/logout', { authorization: early })).status, 204)
    t.match(await refresh(String(later.refresh_token)), { status: 401 }, 'the access token alone ends its session')
    t.equal((await shop.ask(later.access_token)).status, 401, 'with the token that it gave last')
    t.equal((await shop.ask(grace.access_token)).status, 401, 'and the one that was brought')
    t.equal((await refresh(String(heidi.refresh_token))).status, 200, 'other sessions of the same user go on')

    const ivan = (await shop.login('ivan')).body
    for (const authorization of [
      'Bearer x.y.z',
      'Bearer',
      'Basic abc',
      `Bearer ${hs256(claims({ sub: 'x', jti: 'y' }))}`,
    ])
      t.same(
        await shop.ask2('POST', '/auth/logout', { authorization }).then(({ status, cookies }) => [status, cookies]),
        [204, []],
        authorization,
      )
    t.equal((await shop.ask(ivan.access_token)).status, 200, 'of a token that is none nothing ends')

    const sub = (await shop.login('dave')).body
    const me = decodeJwt(String(sub.access_token)).sub as string
    const admin = hs256(claims({ scope: 'admin:revoke', iss: 'https://shop.example', aud: 'shop', jti: randomUUID() }))
    await shop.ask2('POST', '/auth/revoke-all', { authorization: `Bearer ${admin}` }, { sub: me })
    t.match(await refresh(String(sub.refresh_token)), { status: 401 }, 'revoke-all ends sessions too')

    const eve = (await shop.login('eve')).body
    const name = new URL(url).pathname.slice(1)
    await runOnServer(name, "UPDATE users SET roles = '{admin}' WHERE subject = 'eve'")
    const next = (await refresh(String(eve.refresh_token))).body
    t.match(decodeJwt(String(next.access_token)), { roles: ['admin'] }, 'rights are asked for again')
    await runOnServer(name, "UPDATE users SET email = NULL WHERE subject = 'eve'")
    t.match(await refresh(String(next.refresh_token)), { status: 403 }, 'and who has none is out')
    await runOnServer(name, "UPDATE users SET email = 'e' WHERE subject = 'eve'")
    t.match(await refresh(String(next.refresh_token)), { status: 401 }, 'for good')
  })

  t.test("the provider's own tokens, where there is no function (SAML by a proxy)", async (t) => {
    const options = { user_function: undefined, client_id: 'handed', audience: 'urn:shop-api' }
    const jwt = { jwt_secret: undefined, jwt_issuer: issuer, jwt_audience: 'urn:shop-api' }
    const handed = await openShop(root, issuer, { options, jwt })
    const done = await handed.login('ann')
    t.match(done, { status: 200, body: { access_token: JWT, id_token: JWT, refresh_token: SECRETS } })
    t.match(decodeJwt(String(done.body.access_token)), { iss: issuer, aud: 'urn:shop-api', sub: 'ann' })
    t.match(await handed.ask(done.body.access_token), { status: 200, auth: { subject: 'ann' } })
    t.equal((await handed.ask(done.body.id_token)).status, 401, 'an id_token opens nothing')
    const again = await handed.ask2('POST', '/auth/refresh', {}, { refresh_token: done.body.refresh_token })
    t.match(again, { status: 200, body: { access_token: JWT, refresh_token: SECRETS } })
    const opaque = await openShop(root, issuer, { options: { user_function: undefined }, jwt })
    t.match(await opaque.login('ann'), { status: 502 }, 'one that is not for this service is not handed on')
    t.match(
      JSON.stringify(opaque.signals.map((signal) => ('error' in signal ? String((signal.error as Error).cause) : ''))),
      /Set audience/,
    )
  })

  t.test('states and sessions in Redis: shared, encrypted, gone in time', async (t) => {
    if (!(await requireService(t, 'redis'))) return
    const redis = await openRedis(REDIS, { signals: createSignals() })
    const keys = async () => (await redis.call('KEYS', 'svc:my-svc-app:oauth:*')) as string[]
    t.teardown(async () => {
      const all = await keys()
      if (all.length > 0) await redis.call('DEL', ...all)
      await redis.close()
    })
    const options = { kvstore_url: REDIS }
    const one = await openShop(root, issuer, { options, rest: { database } })
    const two = await openShop(root, issuer, { options, rest: { database } })
    const { url: at, cookie } = await one.start()
    const back = await logIn(at, 'ann')
    const search = `/auth/callback${back.search}`
    const both = await Promise.all([one.ask2('GET', search, { cookie }), two.ask2('GET', search, { cookie })])
    t.same(both.map(({ status }) => status).sort(), [200, 400], 'of two at once one gets it')
    const { body } = both.find(({ status }) => status === 200)!
    t.equal((await two.ask2('POST', '/auth/refresh', {}, { refresh_token: body.refresh_token })).status, 200)
    for (const key of await keys()) {
      const value = String(await redis.call('GET', key))
      t.notMatch(value, /ann|oidc/, 'nothing can be read there')
      const left = Number(await redis.call('PTTL', key))
      t.ok(left > 0 && left <= 1_209_600_000, `${key} ends`)
    }
    const away = await openShop(root, issuer, { options: { kvstore_url: 'redis://127.0.0.1:1' }, rest: { database } })
    t.match(await away.ask2('GET', '/auth/start'), { status: 503, body: { error: 'temporarily_unavailable' } })
  })

  t.test('a provider that is away, and one that is back', async (t) => {
    const gone = await serveProvider(t, [CALLBACK])
    const app = await openShop(root, gone.issuer, { rest: { database } })
    const body = (await app.login('ann')).body
    const started = await app.start()
    await gone.close()
    t.match(
      await app.ask2('GET', `/auth/callback${query({ code: 'x', state: started.state, iss: gone.issuer })}`, {
        cookie: started.cookie,
      }),
      {
        status: 502,
      },
    )
    t.equal(
      (await app.ask2('POST', '/auth/refresh', {}, { refresh_token: body.refresh_token })).status,
      200,
      'sessions live on',
    )
    const never = await openShop(root, 'http://127.0.0.1:1', { rest: { database } })
    t.match(await never.ask2('GET', '/auth/start'), { status: 502 }, 'boots, and says so')
  })
}

t.test('logins under way: expired, bounded', async (t) => {
  let now = 1_000_000
  const seal = createSeal('aes-256-gcm', createHash('sha256').update('x').digest())
  const store = new MemoryStore({ maxEntries: 3, whenFull: 'refuse', now: () => now })
  const pending = createPendingLogins(store, seal, 1000, () => now)
  const login = { provider: 'p', verifier: 'v', nonce: 'n', redirectUri: null }
  const state = await pending.begin(login, 'browser')
  now += 999
  t.same(await pending.end(state, 'browser'), login)
  const late = await pending.begin(login, 'browser')
  now += 1000
  t.equal(await pending.end(late, 'browser'), null)
  for (let i = 0; i < 3; i++) await pending.begin(login, 'b')
  t.match(await failure(() => pending.begin(login, 'b')), { code: 'SERVICE_UNAVAILABLE' })
  now += 2000
  t.ok(await pending.begin(login, 'b'), 'what is over makes room')
  t.equal(await pending.end(await pending.begin(login, 'b'), null), null)
})

t.test('sessions: two tabs, a thief, a logout while it is refreshed', async (t) => {
  let now = 1_000_000
  const seal = createSeal('chacha20-poly1305', createHash('sha256').update('x').digest())
  const store = new MemoryStore({ maxEntries: 100, whenFull: 'evict', now: () => now })
  const ended: (string | null)[] = []
  /** Two processes over one store. */
  const [sessions, other] = [1, 2].map(
    () => new Sessions({ store, names: store, seal, now: () => now, ended: async ({ jti }) => void ended.push(jti) }),
  ) as [Sessions, Sessions]
  const lastOf = (jti: string) => ({ issuer: null, subject: 's', jti, issuedAt: 1, ownClock: true, expiresAt: 2 })
  const session = { provider: 'p', profile: null, refreshToken: null, last: lastOf('j0'), endsAt: now + 300_000 }
  let made = 0
  const work = async (from: Session) => {
    made++
    await new Promise((resolve) => setImmediate(resolve))
    return { result: `token ${made}`, next: { ...from, last: lastOf(`j${made}`) } }
  }
  /** Work that waits for a word. */
  function held() {
    let go = () => {}
    let begun = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const started = new Promise<void>((resolve) => {
      begun = resolve
    })
    const wait = async (from: Session) => {
      begun()
      await gate
      return work(from)
    }
    return { go, started, wait }
  }

  const first = await sessions.begin(session)
  const both = await Promise.all([sessions.refresh(first, work), sessions.refresh(first, work)])
  t.ok(both[0])
  t.same(both[0], both[1], 'of one process: the same for both')
  t.equal(made, 1, 'and it is made once')
  t.same(await other.refresh(first, work), both[0], 'a little later, elsewhere: what the quicker one was given')
  const second = both[0]!.refreshToken
  const slow = held()
  const here = sessions.refresh(second, slow.wait)
  await slow.started
  const there = other.refresh(second, work)
  slow.go()
  t.same(await there, await here, 'elsewhere, and at the same time')
  t.equal(made, 2)

  const fails = sessions.refresh((await here)!.refreshToken, () => Promise.reject(new Error('away')))
  await t.rejects(fails, { message: 'away' })
  const third = (await sessions.refresh((await here)!.refreshToken, work))!.refreshToken
  t.ok(third, 'what fails leaves it as it was')
  now += 10_001
  t.equal(await sessions.refresh((await here)!.refreshToken, work), null, 'after that it was stolen')
  t.equal(await other.refresh(third, work), null, 'and nobody has the session any more')
  t.same(ended, ['j3'], 'nor its token')

  for (const [name, ending] of [
    ['here', sessions],
    ['elsewhere', other],
  ] as const) {
    const token = await sessions.begin(session)
    const { go, started, wait } = held()
    const refreshing = sessions.refresh(token, wait)
    await started
    await ending.end(token)
    go()
    t.equal(await refreshing, null, `a logout ${name}: who refreshes meanwhile is given nothing`)
    t.same(ended.splice(0).slice(-2), ['j0', `j${made}`], 'and no token outlives it')
    t.equal(await other.refresh(token, work), null)
  }
  // By a token that it gave: the last one, or one before; and by no other.
  const lasting = (jti: string) => ({ ...lastOf(jti), expiresAt: 10_000 })
  for (const by of ['first', 'renewed']) {
    const token = await sessions.begin({ ...session, last: lasting('first') })
    const renewed = await sessions.refresh(token, async (from) => ({
      result: 'x',
      next: { ...from, last: lasting('renewed') },
    }))
    for (const wrong of [lasting('other'), { ...lasting(by), issuer: 'elsewhere' }, { ...lasting(by), jti: null }])
      await other.endOf(wrong)
    t.ok(await sessions.refresh(renewed!.refreshToken, async (from) => ({ result: 'y', next: from })), by)
    ended.splice(0)
    await other.endOf(lasting(by))
    t.same(ended, ['renewed'], `${by}: the last token ends with it`)
    t.equal(await sessions.refresh(renewed!.refreshToken, work), null, by)
  }
  // Whatever the order of the two: afterwards nobody has a session.
  for (let i = 0; i < 40; i++) {
    const token = await sessions.begin(session)
    const refreshing = sessions.refresh(token, async (from) => {
      for (let turn = 0; turn < i % 8; turn++) await null
      return { result: 'x', next: { ...from, last: lastOf(`race ${i}`) } }
    })
    for (let turn = 0; turn < i; turn++) await null
    await other.end(token)
    const got = await refreshing
    if (got !== null) t.equal(await sessions.refresh(got.refreshToken, work), null, `race ${i}`)
    t.ok(got === null || ended.includes(`race ${i}`), 'what was handed out just before is ended, too')
  }

  const lock = await sessions.begin(session)
  const hangs = held()
  const hanging = sessions.refresh(lock, hangs.wait)
  await hangs.started
  now += 30_000
  const taken = await other.refresh(lock, work)
  t.ok(taken, 'who hangs keeps nobody from it')
  hangs.go()
  await t.rejects(hanging, { code: 'SERVICE_UNAVAILABLE' }, 'and does not come back with something else')
  t.ok(await other.refresh(taken!.refreshToken, work))

  const short = await sessions.begin({ ...session, endsAt: now + 1000 })
  now += 1000
  t.equal(await sessions.refresh(short, work), null)
})

t.test('sessions: frequent refreshes do not end other sessions, and are found by the last tokens', async (t) => {
  const seal = createSeal('chacha20-poly1305', createHash('sha256').update('x').digest())
  const store = new MemoryStore({ maxEntries: 5, whenFull: 'evict' })
  const names = new MemoryStore({ maxEntries: 100, whenFull: 'evict' })
  const ended: (string | null)[] = []
  const sessions = new Sessions({ store, names, seal, ended: async ({ jti }) => void ended.push(jti) })
  const expiresAt = Date.now() / 1000 + 900
  const lastOf = (jti: string) => ({ issuer: null, subject: 's', jti, issuedAt: 1, ownClock: true, expiresAt })
  const begin = (jti: string) =>
    sessions.begin({
      provider: 'p',
      profile: null,
      refreshToken: null,
      last: lastOf(jti),
      endsAt: Date.now() + 900_000,
    })
  const quiet = await begin('quiet')
  let token = await begin('j0')
  for (let i = 1; i <= 30; i++) {
    const work = async (from: Session) => ({ result: i, next: { ...from, last: lastOf(`j${i}`) } })
    token = (await sessions.refresh(token, work))!.refreshToken
  }
  t.equal(names.size, 9, 'eight of the one, one of the other')
  t.ok(await sessions.refresh(quiet, async (from) => ({ result: 0, next: from })), 'the other session is there')
  await sessions.endOf(lastOf('j22'))
  t.same(ended, [], 'too long ago')
  await sessions.endOf(lastOf('j23'))
  t.same(ended, ['j30'])
  t.equal(names.size, 1, 'nothing is left of it')
})

t.test('configurations without a possible login', async (t) => {
  const open = (options: object, jwt: object = {}, env: Record<string, string> = {}) => {
    for (const [name, value] of Object.entries(env)) process.env[name] = value
    return openShop(t, 'http://127.0.0.1:1', { options, jwt }).finally(() => {
      for (const name of Object.keys(env)) delete process.env[name]
    })
  }
  const away = { issuer_url: undefined, client_id: undefined }
  const cases: readonly (readonly [object, object, Record<string, string>, RegExp])[] = [
    [{ callback_url: undefined }, {}, {}, /callback_url .*is not set/],
    [
      { callback_url: 'http://shop.example/auth/callback' },
      {},
      {},
      /is not an https address\. The provider sends the browser to this address/,
    ],
    [{ callback_url: 'https://shop.example/' }, {}, {}, /ends with \/auth\/callback/],
    [
      { redirect_uris: ['javascript:alert(1)'] },
      {},
      {},
      /is not an https address\. A browser that has logged in is sent/,
    ],
    [{ redirect_uris: ['https://*.example.com/'] }, {}, {}, /without fragment, credentials and wildcards/],
    [{ redirect_uris: ['https://a@example.com/'] }, {}, {}, /credentials/],
    [{ issuer_url: 'http://login.example.com' }, {}, {}, /is not an https address\. The client secret and the tokens/],
    [{ client_id: undefined }, {}, {}, /issuer_url is set, and client_id/],
    [away, {}, {}, /no provider has credentials/],
    [away, {}, { OKTA_CLIENT_ID: 'x' }, /OKTA_CLIENT_ID is set, and OKTA_DOMAIN is not/],
    [{ provider: 'google' }, {}, {}, /"google", which has no credentials; there is: "oidc"/],
    [{ claims: ['sub'] }, {}, {}, /claims has "sub"/],
    [{}, { jwt_secret: undefined, jwt_issuer: 'http://127.0.0.1:1' }, {}, /no key signs any/],
    [
      { user_function: undefined },
      { jwt_secret: undefined, jwt_issuer: undefined, jwt_audience: undefined },
      {},
      /no key verifies any/,
    ],
    [{ user_function: 'fn(); DROP TABLE x' }, {}, {}, /user_function/],
    [{}, {}, { SVC_REQUIRE_KVSTORE: '1' }, /SVC_REQUIRE_KVSTORE is 1/],
    [{}, { jwt_private_key: 'x.pem' }, {}, /jwt_private_key.*wants jwt_algorithm/],
  ]
  for (const [options, jwt, env, message] of cases) {
    t.match((await failure(() => open(options, jwt, env))).message, message)
  }
  const plain = await open({ code_challenge_method: 'plain' })
  t.ok(plain.signals.some((signal) => signal.type === 'warning' && /"plain"/.test(signal.message)))
})
