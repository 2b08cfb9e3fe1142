import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import {
  b64,
  claims,
  EC,
  ecdsa,
  es256,
  forge,
  hmac,
  hs256,
  jwkOf,
  nowSecs,
  openWho,
  pemOf,
  RSA,
  rs256,
  rsa,
  SECRET,
  serveKeys,
} from './who.ts'

/** Every way to a token that we did not make, or not for now, or not for us. Each is 401, and none is nobody. */

const OTHER_RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
const OTHER_EC = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const P384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const HS = { jwt_secret: SECRET, jwt_issuer: 'https://us', jwt_audience: 'api' }
const ours = (more: object = {}) => claims({ iss: 'https://us', aud: 'api', ...more })
const none = () => ''

const FORGED: Readonly<Record<string, () => string>> = {
  'another secret': () => hs256(ours(), 'another secret of thirty-two bytes'),
  'the empty secret': () => hs256(ours(), ''),
  'alg none without a signature': () => forge({ alg: 'none' }, ours(), none),
  'alg None': () => forge({ alg: 'None' }, ours(), none),
  'alg none with the signature of a good one': () =>
    forge({ alg: 'none' }, ours(), () => hs256(ours()).split('.')[2] as string),
  'no alg': () => forge({ typ: 'JWT' }, ours(), hmac(SECRET)),
  'alg as a list': () => forge({ alg: ['HS256'] }, ours(), hmac(SECRET)),
  HS384: () => forge({ alg: 'HS384' }, ours(), hmac(SECRET, 'sha384')),
  HS512: () => forge({ alg: 'HS512' }, ours(), hmac(SECRET, 'sha512')),
  'RS256 where HS256 is configured': () => rs256(ours()),
  'no signature': () => hs256(ours()).replace(/[^.]+$/, ''),
  'two parts': () => hs256(ours()).replace(/\.[^.]+$/, ''),
  'four parts': () => `${hs256(ours())}.AAAA`,
  'five parts, as if encrypted': () => `${hs256(ours())}.AAAA.AAAA`,
  'a payload that was changed': () => {
    const [header, , signature] = hs256(ours()).split('.')
    return `${header}.${b64(ours({ sub: 'root' }))}.${signature}`
  },
  'a header that was changed': () => {
    const [, payload, signature] = hs256(ours()).split('.')
    return `${b64({ alg: 'HS256', typ: 'JWT', kid: 'x' })}.${payload}.${signature}`
  },
  'a signature that is cut off': () => hs256(ours()).slice(0, -4),
  'a signature with something behind it': () => `${hs256(ours())}AAAA`,
  'a key of its own (jwk)': () =>
    forge({ alg: 'RS256', jwk: RSA.publicKey.export({ format: 'jwk' }) }, ours(), rsa(RSA.privateKey)),
  'a place of its own for keys (jku)': () => forge({ alg: 'HS256', jku: 'http://127.0.0.1:1/' }, ours(), hmac('x')),
  'a kid that is a path': () => forge({ alg: 'HS256', kid: '../../dev/null' }, ours(), hmac('')),
  'a kid that is SQL': () => forge({ alg: 'HS256', kid: "' UNION SELECT 'x" }, ours(), hmac('x')),
  'an extension that has to be understood (crit)': () =>
    forge({ alg: 'HS256', crit: ['exp'], exp: 1 }, ours(), hmac(SECRET)),
  'an unencoded payload (b64: false)': () => forge({ alg: 'HS256', b64: false, crit: ['b64'] }, ours(), hmac(SECRET)),
  expired: () => hs256(ours({ exp: nowSecs() - 61 })),
  'no exp': () => hs256({ sub: 'ann', iss: 'https://us', aud: 'api' }),
  'exp as a text': () => hs256(ours({ exp: '9999999999' })),
  'exp null': () => hs256(ours({ exp: null })),
  'exp beyond all dates': () => hs256(`{"sub":"ann","iss":"https://us","aud":"api","exp":8640000000001}`),
  'exp that no double holds': () => hs256(`{"sub":"ann","iss":"https://us","aud":"api","exp":1e999}`),
  'not valid yet': () => hs256(ours({ nbf: nowSecs() + 120 })),
  'nbf as a text': () => hs256(ours({ nbf: '0' })),
  'another issuer': () => hs256(ours({ iss: 'https://them' })),
  'an issuer that begins like ours': () => hs256(ours({ iss: 'https://us.example' })),
  'no issuer': () => hs256(claims({ aud: 'api' })),
  'another audience': () => hs256(ours({ aud: 'app' })),
  'an audience that contains ours': () => hs256(ours({ aud: 'api2' })),
  'audiences without ours': () => hs256(ours({ aud: ['app', 'web'] })),
  'no audience': () => hs256(claims({ iss: 'https://us' })),
  'a subject that is an object': () => hs256(ours({ sub: { toString: 'ann' } })),
  'a payload that is a list': () => hs256('[]'),
  'a payload that is a text': () => hs256('"ann"'),
  'a payload that is no JSON': () => hs256('{'),
  'a header that is no JSON': () => `${b64('{')}.${b64(ours())}.AAAA`,
  'a header that is a list': () => `${b64([])}.${b64(ours())}.AAAA`,
  'base64 with +, / and =': () => hs256(ours()).replace(/.$/, '='),
  'a token that is too long': () => hs256(ours({ filler: 'x'.repeat(9000) })),
  'a token with a NUL': () => `${hs256(ours())}\0`,
  nothing: () => '',
  'one character': () => '.',
  dots: () => '.'.repeat(5000),
}

t.test('tokens that are not ours, with a secret', async (t) => {
  const app = await openWho(t, HS)
  t.match(await app.ask(hs256(ours())), { status: 200, auth: { subject: 'ann' } }, 'the twin that is let in')
  for (const [name, make] of Object.entries(FORGED)) {
    const { status, auth, error } = await app.ask(make())
    t.same([status, auth, error?.code], [401, null, 'UNAUTHENTICATED'], name)
    t.match(error?.message, /^The token (is not valid|has expired|is not valid yet)\.$/, `${name}: says little`)
  }
  t.equal(Object.keys(FORGED).length >= 20, true)
  const refused = app.signals.filter(({ type }) => type === 'credential-refused')
  t.equal(refused.length, Object.keys(FORGED).length, 'each is told to whoever counts them')
  t.notOk(
    app.signals.some(({ type }) => type === 'request-failed'),
    'none is a fault of ours',
  )
})

const ASYMMETRIC = [
  { name: 'RS256', key: RSA.publicKey, good: () => rs256(), stranger: () => rs256(claims(), OTHER_RSA.privateKey) },
  { name: 'ES256', key: EC.publicKey, good: () => es256(), stranger: () => es256(claims(), OTHER_EC.privateKey) },
] as const

for (const { name, key, good, stranger } of ASYMMETRIC) {
  t.test(`tokens that are not ours, with a public key (${name})`, async (t) => {
    const pem = pemOf(key)
    const der = key.export({ type: 'spki', format: 'der' })
    const app = await openWho(t, { jwt_secret: pem, jwt_algorithm: name })
    t.match(await app.ask(good()), { status: 200, auth: { subject: 'ann' } })
    const forged: Record<string, string> = {
      'the public key as a secret (PEM)': hs256(claims(), pem),
      'the same without the last line break': hs256(claims(), pem.trim()),
      'the public key as a secret (DER)': hs256(claims(), der),
      'the key of a stranger': stranger(),
      'alg none': forge({ alg: 'none' }, claims(), none),
      'the other algorithm': name === 'RS256' ? es256() : rs256(),
      'the label of one, the signature of the other':
        name === 'RS256'
          ? forge({ alg: 'RS256' }, claims(), ecdsa(EC.privateKey))
          : forge({ alg: 'ES256' }, claims(), rsa(RSA.privateKey)),
      'PS256 with the same key': forge({ alg: 'PS256' }, claims(), rsa(RSA.privateKey)),
      'another hash': forge({ alg: name.replace('256', '512') }, claims(), rsa(RSA.privateKey, 'sha512')),
      'ECDSA with r = s = 0': forge({ alg: name }, claims(), () => Buffer.alloc(64)),
      'an empty signature': forge({ alg: name }, claims(), none),
      'a curve of another size': forge({ alg: 'ES384' }, claims(), ecdsa(P384.privateKey)),
    }
    for (const [kind, token] of Object.entries(forged)) {
      t.match(await app.ask(token), { status: 401, error: { code: 'UNAUTHENTICATED' } }, kind)
    }
  })
}

t.test('tokens that are not ours, with fetched keys', async (t) => {
  const keys = await serveKeys(t, {
    keys: [
      jwkOf(RSA.publicKey, 'r'),
      jwkOf(EC.publicKey, 'e'),
      { kty: 'oct', kid: 'o', k: b64('a public "secret"') },
      jwkOf(OTHER_RSA.publicKey, 'enc', { use: 'enc' }),
      null,
      'x',
    ],
  })
  const app = await openWho(t, { jwks_uri: `${keys.url}/jwks`, jwt_audience: 'api' })
  const c = claims({ aud: 'api' })
  t.match(await app.ask(rs256(c, RSA.privateKey, 'r')), { status: 200 })
  t.match(await app.ask(es256(c, EC.privateKey, 'e')), { status: 200 })
  const forged: Record<string, string> = {
    'a key that it does not have': rs256(c, OTHER_RSA.privateKey, 'unknown'),
    'the name of a key of another kind': rs256(c, RSA.privateKey, 'e'),
    'the key of a stranger under a known name': rs256(c, OTHER_RSA.privateKey, 'r'),
    'a symmetric key among the public ones': forge({ alg: 'HS256', kid: 'o' }, c, hmac('a public "secret"')),
    'a key for encryption': rs256(c, OTHER_RSA.privateKey, 'enc'),
    'a public key as a secret': forge({ alg: 'HS256', kid: 'r' }, c, hmac(pemOf(RSA.publicKey))),
    'a kid that is no text': forge({ alg: 'RS256', kid: { $ne: 1 } }, c, rsa(RSA.privateKey)),
    'a kid of the prototype': forge({ alg: 'RS256', kid: '__proto__' }, c, rsa(RSA.privateKey)),
  }
  for (const [kind, token] of Object.entries(forged)) t.match(await app.ask(token), { status: 401 }, kind)
  t.ok(keys.asked <= 2, `names that nobody has are looked for once, not each time: ${keys.asked}`)
})

t.test('the header itself', async (t) => {
  const app = await openWho(t, { jwt_secret: SECRET })
  const good = hs256()
  for (const [authorization, status] of [
    [`bearer ${good}`, 200],
    [`BEARER   ${good}`, 200],
    [`Bearer ${good} `, 200],
    [`Bearer ${good} ${good}`, 401],
    [`Bearer ${good},${good}`, 401],
    ['Bearer', 401],
    [`Bearer${good}`, 200],
    ['Basic YW5uOmFubg==', 200],
    [good, 200],
  ] as const) {
    const answer = await app.ask({ authorization })
    t.equal(answer.status, status, authorization.slice(0, 12))
    if (status === 200 && !/^bearer +\w/i.test(authorization)) t.equal(answer.auth, null, 'not our credential: nobody')
  }
  const answer = await app.ask(`${good}x`)
  t.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"', 'RFC 6750, 3.1')
})
