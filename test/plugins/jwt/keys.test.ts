import { generateKeyPairSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { checkAddress } from '../../../plugins/jwt/fetch-json.ts'
import { KeySet } from '../../../plugins/jwt/key-set.ts'
import { failure } from '../../helpers/kernel.ts'
import { claims, EC, es256, hs256, jwkOf, openWho, RSA, rs256, SECRET, serveKeys } from './who.ts'

const NEXT = generateKeyPairSync('rsa', { modulusLength: 2048 })
const setOf = (...keys: object[]) => ({ keys })
const api = claims({ aud: 'api' })

t.test('an issuer takes another key', async (t) => {
  const keys = await serveKeys(t, setOf(jwkOf(RSA.publicKey, 'one')))
  const app = await openWho(t, { jwks_uri: keys.url, jwt_audience: 'api' })
  t.equal(keys.asked, 0, 'not before it is needed')
  const old = rs256(api, RSA.privateKey, 'one')
  const both = await Promise.all(Array.from({ length: 10 }, () => app.ask(old)))
  t.ok(both.every(({ status }) => status === 200))
  t.equal(keys.asked, 1, 'once for all who wait')
  t.equal((await app.ask(rs256(api))).status, 200, 'one key needs no name')
})

t.test('unknown key ids are looked up at most every 30 seconds', async (t) => {
  let now = 1_000_000
  let asked = 0
  let answer: unknown = setOf(jwkOf(RSA.publicKey, 'one'))
  const changes: number[] = []
  const failures: unknown[] = []
  const set = new KeySet({
    fetch: async () => {
      asked++
      if (answer instanceof Error) throw answer
      return answer
    },
    changed: () => changes.push(now),
    failed: (error) => failures.push(error),
    now: () => now,
  })
  const find = (kid: string) => set.key({ alg: 'RS256', kid })
  t.ok(await find('one'))
  for (let i = 0; i < 50; i++) t.match(await failure(() => find(`flood ${i}`)), { code: 'UNAUTHENTICATED' })
  t.equal(asked, 1, 'a flood of names asks nobody')
  answer = setOf(jwkOf(RSA.publicKey, 'one'), jwkOf(NEXT.publicKey, 'two'))
  now += 31_000
  t.ok(await find('two'), 'the new one is found')
  t.same([asked, changes.length], [2, 1], 'and what was verified is verified again')
  t.ok(await find('one'))

  answer = new Error('away')
  now += 601_000
  t.ok(await find('one'), 'an issuer that is away keeps nobody out')
  await set.refresh()
  t.equal(failures.length, 1)
  now += 3_600_000
  t.match(await failure(() => find('one')), { code: 'SERVICE_UNAVAILABLE' }, 'but not for ever')
  t.equal(changes.length, 2)
  answer = setOf(jwkOf(NEXT.publicKey, 'two'))
  now += 2001
  t.ok(await find('two'), 'it is back')
  t.match(await failure(() => find('one')), { code: 'UNAUTHENTICATED' }, 'a key that was taken away')
})

t.test('answers that are no keys', async (t) => {
  const cases: Record<string, unknown> = {
    'no JSON': (_request: unknown, response: ServerResponse) => void response.end('<html>'),
    'an error': (_request: unknown, response: ServerResponse) => void response.writeHead(500).end(),
    'a redirect': (_request: unknown, response: ServerResponse) =>
      void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    'too much': (_request: unknown, response: ServerResponse) => void response.end(`"${'x'.repeat(600_000)}"`),
    'no list': { keys: {} },
    'a list': [],
    null: null,
    'too many keys': { keys: Array.from({ length: 101 }, (_, i) => jwkOf(RSA.publicKey, String(i))) },
  }
  for (const [name, answer] of Object.entries(cases)) {
    const keys = await serveKeys(t, answer ?? (() => null))
    const app = await openWho(t, { jwks_uri: keys.url, jwt_audience: 'api' })
    const { status, headers, error } = await app.ask(rs256(api, RSA.privateKey, 'one'))
    t.same([status, headers['retry-after'], error?.code], [503, '2', 'SERVICE_UNAVAILABLE'], name)
    t.equal((await app.ask()).status, 200, `${name}: who brings no token is not concerned`)
    t.ok(
      app.signals.some((signal) => signal.type === 'warning' && /could not be fetched/.test(signal.message)),
      `${name}: the log has the reason`,
    )
  }
})

t.test('two keys and a token without a name', async (t) => {
  const keys = await serveKeys(t, setOf(jwkOf(RSA.publicKey, 'one'), jwkOf(NEXT.publicKey, 'two')))
  const app = await openWho(t, { jwks_uri: keys.url, jwt_audience: 'api' })
  t.equal((await app.ask(rs256(api))).status, 401)
})

t.test('several issuers, each with its own keys', async (t) => {
  const a = await serveKeys(t, setOf(jwkOf(RSA.publicKey, 'k')))
  const b = await serveKeys(t, null)
  b.answer = (request: { url: string }) =>
    request.url === '/keys' ? setOf(jwkOf(EC.publicKey, 'k')) : { issuer: b.url, jwks_uri: `${b.url}/keys` }
  const app = await openWho(t, {
    jwt_secret: SECRET,
    jwt_issuers: [
      { issuer: 'https://a', audience: 'api', jwks_uri: a.url },
      { issuer: b.url, audience: ['api', 'app'], algorithms: ['ES256'] },
    ],
  })
  const ofA = claims({ iss: 'https://a', aud: 'api' })
  const ofB = claims({ iss: b.url, aud: 'app' })
  t.equal((await app.ask(rs256(ofA, RSA.privateKey, 'k'))).status, 200)
  t.equal((await app.ask(es256(ofB, EC.privateKey, 'k'))).status, 200, 'its OpenID configuration says where keys are')
  t.equal((await app.ask(hs256())).status, 200, 'and the secret, for tokens of nobody else')
  const mixed: Record<string, string> = {
    "one issuer's key, the other's name": es256(ofA, EC.privateKey, 'k'),
    'the same, turned round': rs256(ofB, RSA.privateKey, 'k'),
    "our secret, an issuer's name": hs256(ofA),
    "an issuer's key, nobody's name": rs256(claims({ aud: 'api' }), RSA.privateKey, 'k'),
    'another audience': rs256({ ...ofA, aud: 'app' }, RSA.privateKey, 'k'),
    'a list of issuers': rs256({ ...ofA, iss: ['https://a'] }, RSA.privateKey, 'k'),
    'a name that is no issuer': rs256({ ...ofA, iss: 'https://c' }, RSA.privateKey, 'k'),
  }
  for (const [name, token] of Object.entries(mixed)) t.equal((await app.ask(token)).status, 401, name)
})

t.test('a discovery document of another issuer, or with an unsafe jwks_uri', async (t) => {
  const keys = await serveKeys(t, null)
  let document: object = {}
  // The keys are there and right: nothing but the document refuses the token.
  keys.answer = ({ url }: { url: string }) => (url === '/keys' ? setOf(jwkOf(RSA.publicKey, 'k')) : document)
  const token = rs256(claims({ iss: keys.url, aud: 'api' }), RSA.privateKey, 'k')
  const status = async (given: object): Promise<number> => {
    document = given
    const app = await openWho(t, { jwt_issuer: keys.url, jwt_audience: 'api' })
    return (await app.ask(token)).status
  }
  const right = { issuer: keys.url, jwks_uri: `${keys.url}/keys` }
  t.equal(await status(right), 200)
  for (const [name, other] of Object.entries({
    'another issuer': { ...right, issuer: 'https://evil' },
    'an issuer that begins the same': { ...right, issuer: `${keys.url}.evil.example` },
    'an issuer with a slash more': { ...right, issuer: `${keys.url}/` },
    'no issuer': { jwks_uri: right.jwks_uri },
    'no place of keys': { issuer: keys.url },
    'keys over http elsewhere': { ...right, jwks_uri: 'http://169.254.169.254/keys' },
    'a host that begins like this machine': {
      ...right,
      jwks_uri: right.jwks_uri.replace('127.0.0.1', '127.0.0.1.evil.example'),
    },
    'a user that looks like this machine': { ...right, jwks_uri: 'http://127.0.0.1@evil.example/keys' },
    'a file': { ...right, jwks_uri: 'file:///etc/passwd' },
  })) {
    t.equal(await status(other), 503, name)
  }
})

t.test('redirects are not followed, whatever answers at their end', async (t) => {
  const good = setOf(jwkOf(RSA.publicKey, 'one'))
  const elsewhere = await serveKeys(t, good)
  const keys = await serveKeys(t, null)
  const token = rs256(claims({ iss: keys.url, aud: 'api' }), RSA.privateKey, 'one')
  const redirect = (response: ServerResponse, location: string): void =>
    void response.writeHead(302, { location }).end()
  for (const [name, location] of [
    ['another host', `${elsewhere.url}/keys`],
    ['the same host', '/elsewhere'],
  ] as const) {
    keys.answer = ({ url }: { url: string }, response: ServerResponse) =>
      url === '/elsewhere' ? good : redirect(response, location)
    const app = await openWho(t, { jwks_uri: `${keys.url}/keys`, jwt_audience: 'api' })
    t.equal((await app.ask(token)).status, 503, `keys at ${name}`)

    keys.answer = ({ url }: { url: string }, response: ServerResponse) =>
      url === '/elsewhere' ? { issuer: keys.url, jwks_uri: `${elsewhere.url}/keys` } : redirect(response, location)
    elsewhere.answer = ({ url }: { url: string }) =>
      url === '/keys' ? good : { issuer: keys.url, jwks_uri: `${elsewhere.url}/keys` }
    const discovered = await openWho(t, { jwt_issuer: keys.url, jwt_audience: 'api' })
    t.equal((await discovered.ask(token)).status, 503, `the configuration at ${name}`)
  }
  t.equal(elsewhere.asked, 0)
})

t.test('http is allowed only on this machine, and not for similar names', async (t) => {
  for (const place of [
    'http://localhost/k',
    'http://127.0.0.1:8080/k',
    'http://127.9.9.9/k',
    'http://[::1]/k',
    'https://a.b/k',
  ])
    t.equal(checkAddress(place, 'It', 'keys'), place)
  for (const place of [
    'http://127.0.0.1.evil.example/k',
    'http://localhost.evil.example/k',
    'http://evil-localhost/k',
    'http://evil.example/localhost',
    'http://127.0.0.1@evil.example/k',
    'http://[::1]@evil.example/k',
    'http://[2001:db8::1]/k',
    'http://10.0.0.1/k',
    'ftp://localhost/k',
    'file:///etc/passwd',
    'localhost/k',
    '',
  ]) {
    t.match(await failure(async () => checkAddress(place, 'It', 'keys')), { code: 'SVC_CONFIG_INVALID' }, place)
  }
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  t.teardown(() => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  })
  t.match(await failure(async () => checkAddress('http://localhost/k', 'It', 'keys')), { code: 'SVC_CONFIG_INVALID' })
  t.equal(checkAddress('https://localhost/k', 'It', 'keys'), 'https://localhost/k')
})
