import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { definePlugin, isPromise, SvcError } from '../../../core/doors/plugin.ts'
import jwt from '../../../plugins/jwt/index.ts'
import { failure } from '../../helpers/kernel.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import { openProject, writeProject } from '../../helpers/open-project.ts'
import { claims, EC, es256, hs256, nowSecs, openWho, pemOf, plugin, RSA, rs256, SECRET } from './who.ts'

const HS = { jwt_secret: SECRET }

t.test('roles below a key with dots', async (t) => {
  for (const [claim, more] of [
    ['resource_access."shop.example.com".roles', { resource_access: { 'shop.example.com': { roles: ['staff'] } } }],
    ['"https://hasura.io/jwt/claims".x-roles', { 'https://hasura.io/jwt/claims': { 'x-roles': ['staff'] } }],
  ] as const) {
    const app = await openWho(t, { ...HS, jwt_roles_claim: claim })
    const { auth } = (await app.ask(hs256(claims(more)))) as unknown as { readonly auth: { readonly roles: unknown } }
    t.strictSame(auth.roles, ['staff'], claim)
  }
  await t.rejects(openWho(t, { ...HS, jwt_roles_claim: 'realm."roles' }), { message: /is no path of a claim/ })
})

t.test('scopes of the one claim that the configuration names', async (t) => {
  const given = {
    scope: 'read:a',
    permissions: ['read:b'],
    'https://shop.example/scopes': ['read:c'],
    realm: { scopes: 'read:d read:e' },
  }
  for (const [claim, scopes] of [
    [undefined, ['read:a']],
    ['permissions', ['read:b']],
    ['https://shop.example/scopes', ['read:c']],
    ['realm.scopes', ['read:d', 'read:e']],
    ['scp', []],
  ] as const) {
    const app = await openWho(t, claim === undefined ? HS : { ...HS, jwt_scopes_claim: claim })
    t.strictSame((await app.ask(hs256(claims(given)))).auth?.scopes, scopes, claim ?? 'none is named')
  }
  await t.rejects(openWho(t, { ...HS, jwt_scopes_claim: 'realm."scopes' }), {
    message: /security.jwt_scopes_claim: .*is no path of a claim/,
  })
})

t.test('scopes, roles and claims of a token', async (t) => {
  const app = await openWho(t, { ...HS, jwt_roles_claim: 'realm.roles', jwt_default_role: 'guest' })
  const cases: readonly (readonly [object, object])[] = [
    [{ scope: 'read:a  write:a' }, { scopes: ['read:a', 'write:a'] }],
    [{ scope: '', scp: ['read:a'] }, { scopes: [] }],
    [{ scope: null, scp: ['read:a'] }, { scopes: [] }],
    [{ scp: ['read:a', 1, null, ''] }, { scopes: ['read:a'] }],
    [{ scp: 'read:a write:a' }, { scopes: ['read:a', 'write:a'] }],
    [{ permissions: ['p'], scopes: ['s'] }, { scopes: ['p'] }],
    [{ scopes: ['s'] }, { scopes: ['s'] }],
    [{ scope: { admin: true } }, { scopes: [] }],
    [{}, { scopes: [], roles: ['guest'], subject: 'ann', method: 'jwt' }],
    [{ realm: { roles: ['a', 'b'] } }, { roles: ['a', 'b'] }],
    [{ realm: { roles: 'a b' } }, { roles: ['a b'] }],
    [{ realm: { roles: [] } }, { roles: [] }],
    [{ realm: { roles: null } }, { roles: [] }],
    [{ 'realm.roles': ['literal'] }, { roles: ['literal'] }],
    [{ sub: 42 }, { subject: '42' }],
    [{ sub: undefined }, { subject: null }],
    [{ 'https://x/tenant': 't1' }, { claims: { 'https://x/tenant': 't1' } }],
  ]
  for (const [more, auth] of cases) {
    const answer = await app.ask(hs256(claims(more)))
    t.match(answer, { status: 200, auth }, JSON.stringify(more))
    // An empty list matches every list.
    for (const key of ['scopes', 'roles'] as const) {
      if (key in auth)
        t.strictSame(answer.auth?.[key], (auth as Record<string, unknown>)[key], `${key} of ${JSON.stringify(more)}`)
    }
  }
  t.equal((await app.ask()).auth, null, 'nobody')
  const polluted = await app.ask(hs256(`{"sub":"x","exp":${nowSecs() + 60},"__proto__":{"scope":"admin"}}`))
  t.same(polluted.auth?.scopes, [], 'claims are own ones')
  t.equal(({} as { scope?: unknown }).scope, undefined)
})

t.test('the plugin registers its header as a credential only if it verifies tokens', async (t) => {
  const credentials = async (options: object) =>
    (await openWho(t, options)).kernel.credentials.map(({ description: _, ...rest }) => rest)
  t.strictSame(await credentials(HS), [
    { in: 'header', name: 'Authorization', scheme: 'bearer', id: 'bearer', plugin: 'jwt' },
  ])
  t.strictSame(await credentials({}), [])
})

t.test('a clock that is off, and none that is', async (t) => {
  const lenient = await openWho(t, HS)
  t.equal((await lenient.ask(hs256(claims({ exp: nowSecs() - 30 })))).status, 200)
  t.equal((await lenient.ask(hs256(claims({ nbf: nowSecs() + 30 })))).status, 200)
  const strict = await openWho(t, { ...HS, jwt_clock_skew_secs: 0 })
  t.match(await strict.ask(hs256(claims({ exp: nowSecs() - 1 }))), { status: 401, error: { message: /expired/ } })
  t.match(await strict.ask(hs256(claims({ nbf: nowSecs() + 30 }))), {
    status: 401,
    error: { message: /not valid yet/ },
  })
})

t.test('a token that was verified costs no promise, and ends when it ends', async (t) => {
  const tested = await openPlugin(t, jwt, { options: { ...HS, jwt_clock_skew_secs: 0 } })
  const ask = (token: string) =>
    tested.hooks.authenticate?.(tested.exchange({ headers: { authorization: `Bearer ${token}` } }))
  const token = hs256(claims({ exp: nowSecs() + 2 }))
  const first = ask(token)
  t.ok(isPromise(first))
  const auth = await first
  t.equal(ask(token), auth, 'the very same, at once')
  t.ok(Object.isFrozen(auth?.claims), 'and nobody can change it for the next')
  await new Promise((resolve) => setTimeout(resolve, 2100))
  t.match(await failure(async () => ask(token)), { message: 'The token has expired.' })

  const [header, payload, signature] = hs256().split('.')
  await ask(`${header}.${payload}.${signature}`)
  t.match(await failure(async () => ask(`${header}.${payload}.AAAA${signature?.slice(4)}`)), {
    code: 'UNAUTHENTICATED',
  })
  const uncached = await openPlugin(t, jwt, { options: { ...HS, jwt_cache_bytes: 0 } })
  const headers = { authorization: `Bearer ${hs256()}` }
  await uncached.hooks.authenticate?.(uncached.exchange({ headers }))
  t.ok(isPromise(uncached.hooks.authenticate?.(uncached.exchange({ headers }))))
})

t.test('the cache of verified tokens is bounded', async (t) => {
  const tested = await openPlugin(t, jwt, { options: { ...HS, jwt_cache_bytes: 4000 } })
  const ask = (token: string) =>
    tested.hooks.authenticate?.(tested.exchange({ headers: { authorization: `Bearer ${token}` } }))
  const tokens = Array.from({ length: 20 }, (_, i) => hs256(claims({ jti: String(i) })))
  for (const token of tokens) await ask(token)
  t.ok(isPromise(ask(tokens[0] as string)), 'the first had to go')
  await ask(tokens[0] as string)
  t.notOk(isPromise(ask(tokens[0] as string)))
})

t.test('hooks of jwt:verified see every request with a genuine token, and may refuse it', async (t) => {
  const seen: unknown[] = []
  let isRevoked = false
  const guard = definePlugin(
    { name: 'guard', version: '1.0.0', kernelApi: 1, description: 'x', dependencies: ['jwt'] },
    (scope) => {
      scope.on(
        'jwt:verified' as never,
        ((_ctx: unknown, token: { jti: string }) => {
          seen.push(token.jti)
          if (isRevoked) throw new SvcError('UNAUTHENTICATED', 'gone')
        }) as never,
      )
    },
  )
  const app = await openWho(t, HS, [plugin(guard)])
  const token = hs256(claims({ jti: 'j1' }))
  await app.ask(token)
  await app.ask(token)
  await app.ask(`${token}x`)
  t.same(seen, ['j1', 'j1'])
  isRevoked = true
  t.match(await app.ask(token), { status: 401, error: { message: 'gone' } })
})

t.test('public keys by file and by text', async (t) => {
  const folder = t.testdir({ 'public.pem': pemOf(RSA.publicKey) })
  writeFileSync(join(folder, 'ec.pem'), pemOf(EC.publicKey))
  const rsa = await openWho(t, { jwt_secret: join(folder, 'public.pem'), jwt_algorithm: 'RS256' })
  t.match(await rsa.ask(rs256()), { status: 200 })
  const ec = await openWho(t, { jwt_secret: join(folder, 'ec.pem'), jwt_algorithm: 'ES256' })
  t.match(await ec.ask(es256()), { status: 200 })
})

t.test('unsafe configurations are refused', async (t) => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const privatePem = RSA.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const folder = t.testdir({ 'key.pem': pemOf(RSA.publicKey), 'no.pem': 'hello' })
  const file = (name: string) => join(folder, name)
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ jwt_secret: pemOf(RSA.publicKey) }, /HS256 would take it as a secret that everybody knows.*RS256/],
    [{ jwt_secret: file('key.pem') }, /names a file, and HS256 would take its name as the secret/],
    [{ jwt_secret: file('none.pem'), jwt_algorithm: 'RS256' }, /names no file that can be read \(ENOENT\)/],
    [{ jwt_secret: file('no.pem'), jwt_algorithm: 'RS256' }, /is no public key in PEM/],
    [{ jwt_secret: privatePem, jwt_algorithm: 'RS256' }, /is a private key. Give the public one/],
    [{ jwt_secret: pemOf(small.publicKey), jwt_algorithm: 'RS256' }, /no RSA key of at least 2048 bits/],
    [{ jwt_secret: pemOf(EC.publicKey), jwt_algorithm: 'RS256' }, /no RSA key/],
    [{ jwt_secret: pemOf(RSA.publicKey), jwt_algorithm: 'ES256' }, /no key of the curve P-256/],
    [{ jwt_secret: SECRET, jwks_uri: 'https://x/jwks' }, /two keys for one issuer/],
    [{ jwt_audience: 'api' }, /jwt_audience is set, and there is no key/],
    [{ jwt_algorithm: 'RS256' }, /jwt_algorithm is set, and there is no key/],
    [{ jwks_uri: 'https://x/jwks', jwt_algorithm: 'HS256' }, /HS256, which has no public keys/],
    [{ jwks_uri: 'http://keys.example/jwks' }, /is not an https address\. The keys from this address/],
    [{ jwks_uri: 'http://127.0.0.1.evil.example/jwks' }, /is not an https address/],
    [{ jwks_uri: 'file:///etc/passwd' }, /is not an https address/],
    [{ jwt_issuer: 'them' }, /is not an https address/],
    [
      {
        jwt_issuers: [
          { issuer: 'https://a', audience: 'x' },
          { issuer: 'https://a', audience: 'y' },
        ],
      },
      /"https:\/\/a" stands twice/,
    ],
    [{ jwt_issuers: [{ issuer: 'https://a' }] }, /`audience` is required/],
    [{ jwt_algorithm: 'none', jwt_secret: SECRET }, /must be one of/],
    [{ jwt_secert: SECRET }, /unknown option `jwt_secert`.*jwt_secret/],
  ]
  for (const [options, message] of cases) {
    const error = await failure(() => openWho(t, options))
    t.match(error?.message, message, String(message))
    t.notMatch(error.message, new RegExp(SECRET), 'without the secret')
    t.notMatch(error.message, /MII/, 'without the key')
  }
})

t.test('a weak secret is reported, and refused in production', async (t) => {
  const weak = [{ jwt_secret: 'short' }, { jwks_uri: 'https://x.invalid/jwks' }]
  for (const options of weak) {
    const app = await openWho(t, options)
    t.ok(
      app.signals.some((signal) => signal.type === 'warning' && /NODE_ENV is production/.test(signal.message)),
      JSON.stringify(options),
    )
  }
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  t.teardown(() => {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })
  for (const options of [...weak, { jwks_uri: 'http://127.0.0.1:1/jwks', jwt_audience: 'api' }]) {
    t.match(await failure(() => openWho(t, options)), { code: 'SVC_BOOT_FAILED' })
  }
})

t.test('a secret with a space or a line end around it is warned of', async (t) => {
  const warned = async (secret: string) =>
    (await openWho(t, { jwt_secret: secret })).signals.some(
      (signal) => signal.type === 'warning' && /begins or ends with a space/.test(signal.message),
    )
  t.equal(await warned(`${SECRET}\n`), true)
  t.equal(await warned(` ${SECRET}`), true)
  t.equal(await warned(SECRET.replaceAll('-', ' ')), false)
})

t.test('the environment, svc.toml, and neither', async (t) => {
  const database = '[database]\nurl = "postgres://nobody@127.0.0.1:1/nothing"\n'
  const folder = t.testdir({})
  const ask = async (env: Record<string, string>, toml = '') => {
    writeProject(folder, `[security]\n${toml}\n[plugins]\npreset = "minimal"\n${database}`)
    const app = await openProject(t, folder, env)
    const body = { query: '{ __typename }' }
    const send = (headers: Record<string, string> = {}) =>
      app.inject({ method: 'POST', url: '/graphql', headers, body })
    return async (token?: string) => {
      const { status, json } = await send(token === undefined ? {} : { authorization: `Bearer ${token}` })
      return json<{ errors?: [{ extensions: { code: string } }] }>().errors?.[0].extensions.code ?? status
    }
  }
  const token = hs256(claims({ iss: 'https://us', aud: 'b' }))
  const fromEnv = await ask({
    JWT_SECRET: SECRET,
    JWT_ALGORITHM: 'HS256',
    JWT_ISSUER: 'https://us',
    JWT_AUDIENCE: 'a,b',
  })
  t.same([await fromEnv(), await fromEnv(token), await fromEnv(hs256())], ['UNAUTHENTICATED', 200, 'UNAUTHENTICATED'])
  const fromFile = await ask({ MY_SECRET: SECRET }, 'jwt_secret = "${MY_SECRET}"\njwt_audience = "b"')
  t.same([await fromFile(token), await fromFile(hs256())], [200, 'UNAUTHENTICATED'])
  const ours = await ask({ JWT_SECRET: 'another secret of thirty-two bytes', SVC_SECURITY__JWT_SECRET: SECRET })
  t.equal(await ours(token), 200, 'SVC_… wins')
  const none = await ask({})
  t.same([await none(), await none(token)], ['UNAUTHENTICATED', 'UNAUTHENTICATED'], 'without a key nobody is somebody')

  writeProject(
    folder,
    `[security]\njwt_secret = "${SECRET}"\n[plugins]\npreset = "minimal"\ndisable = ["jwt"]\n${database}`,
  )
  t.match(await failure(() => openProject(t, folder)), { message: /section \[security\] \(.*\) is for plugin "jwt"/ })
})
