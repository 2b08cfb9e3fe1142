import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { definePlugin } from '../../../core/doors/plugin.ts'
import type { Tokens } from '../../../plugins/jwt/api.ts'
import { failure } from '../../helpers/kernel.ts'
import type { TestLike } from '../../helpers/services.ts'
import { claims, EC, forge, hmac, hs256, nowSecs, openWho, pemOf, plugin, RSA, SECRET } from './who.ts'

const pkcs8 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const OTHER_RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A service with these options, and the `tokens` that its plugins use. */
async function openIssuer(t: TestLike, options: object) {
  let tokens: Tokens | undefined
  const issuer = definePlugin(
    { name: 'issuer', version: '1.0.0', kernelApi: 1, description: 'x', dependencies: ['jwt'] },
    (scope) => {
      tokens = scope.use('tokens')
    },
  )
  const app = await openWho(t, options, [plugin(issuer)])
  return { app, tokens: tokens! }
}

function partsOf(token: string): readonly unknown[] {
  return token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
}

t.test('tokens that svc makes: their content, and that svc accepts them', async (t) => {
  const folder = t.testdir({})
  writeFileSync(join(folder, 'private.pem'), pkcs8(EC.privateKey))
  const rsa = { jwt_secret: pemOf(RSA.publicKey), jwt_private_key: pkcs8(RSA.privateKey), jwt_algorithm: 'RS256' }
  const ec = { jwt_secret: pemOf(EC.publicKey), jwt_private_key: join(folder, 'private.pem'), jwt_algorithm: 'ES256' }
  const of = { jwt_issuer: 'https://us' }
  for (const [options, alg, more] of [
    [{ jwt_secret: SECRET }, 'HS256', {}],
    [
      { jwt_secret: SECRET, jwt_algorithm: 'HS256', ...of, jwt_audience: 'api' },
      'HS256',
      { iss: 'https://us', aud: 'api' },
    ],
    [{ ...rsa, jwt_audience: ['api', 'app'] }, 'RS256', { aud: 'api' }],
    [{ ...ec, ...of }, 'ES256', { iss: 'https://us' }],
  ] as const) {
    const { app, tokens } = await openIssuer(t, options)
    const before = nowSecs()
    const token = await tokens.issue!({ sub: 'ann', scope: 'read:a' }, 300)
    const [header, payload] = partsOf(token) as [object, { iat: number; exp: number; jti: string }]
    const { iat, exp, jti, ...said } = payload
    t.strictSame(header, { alg, typ: 'JWT', kid: 'svc' })
    t.strictSame(said, { sub: 'ann', scope: 'read:a', ...more }, alg)
    t.ok(iat >= before && iat <= nowSecs(), 'made now')
    t.equal(exp - iat, 300)
    t.match(jti, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    t.match(await app.ask(token), { status: 200, auth: { subject: 'ann', scopes: ['read:a'] } })
    const verified = await tokens.verify(token)
    t.strictSame(
      { ...verified, auth: verified.auth.subject },
      {
        auth: 'ann',
        issuer: 'iss' in more ? more.iss : null,
        subject: 'ann',
        jti,
        issuedAt: iat,
        ownClock: true,
        expiresAt: exp,
      },
    )
    const [, second] = partsOf(await tokens.issue!({ sub: 'ann' }, 300)) as [object, { jti: string }]
    t.not(second.jti, jti, 'each token has its own jti')
  }
})

t.test('only a token of the own key with kid "svc" counts as made by the own clock', async (t) => {
  const { tokens } = await openIssuer(t, { jwt_secret: SECRET })
  const named = (kid?: string) =>
    forge({ alg: 'HS256', typ: 'JWT', ...(kid === undefined ? {} : { kid }) }, claims(), hmac(SECRET))
  for (const [kid, ownClock] of [
    ['svc', true],
    ['SVC', false],
    ['', false],
    [undefined, false],
  ] as const) {
    t.equal((await tokens.verify(named(kid))).ownClock, ownClock, String(kid))
  }
})

t.test('a service without a key that signs makes no tokens', async (t) => {
  for (const [options, makes] of [
    [{ jwt_secret: SECRET }, true],
    [{ jwt_secret: pemOf(RSA.publicKey), jwt_algorithm: 'RS256' }, false],
    [{ jwks_uri: 'http://127.0.0.1:1/keys', jwt_audience: 'api' }, false],
    [{}, false],
  ] as const) {
    const { tokens } = await openIssuer(t, options)
    t.equal(tokens.issue !== null, makes, JSON.stringify(options).slice(0, 40))
    t.equal(tokens.isConfigured, Object.keys(options).length > 0)
  }
})

t.test('private keys that cannot sign', async (t) => {
  const pem = pkcs8(RSA.privateKey)
  const rs = { jwt_secret: pemOf(RSA.publicKey), jwt_algorithm: 'RS256' }
  const wanted =
    /jwt_private_key \(JWT_PRIVATE_KEY\) wants jwt_algorithm \(RS256 or ES256\) and the public key in jwt_secret/
  for (const [options, message] of [
    [{ jwt_secret: SECRET, jwt_private_key: pem }, wanted],
    [{ jwt_secret: SECRET, jwt_private_key: pem, jwt_algorithm: 'HS256' }, wanted],
    [
      { jwks_uri: 'http://127.0.0.1:1/keys', jwt_audience: 'api', jwt_private_key: pem, jwt_algorithm: 'RS256' },
      wanted,
    ],
    [
      { ...rs, jwt_private_key: pkcs8(OTHER_RSA.privateKey) },
      /does not belong to the public key of security\.jwt_secret/,
    ],
    [{ ...rs, jwt_private_key: 'no-such.pem' }, /names no file that can be read \(ENOENT\)/],
    [{ ...rs, jwt_private_key: pemOf(RSA.publicKey) }, /is no private key in PEM/],
  ] as const) {
    const error = await failure(() => openIssuer(t, options))
    t.match(error.message, message, String(message))
    t.notMatch(error.message, /MII/, 'without the key')
  }
  t.ok((await openIssuer(t, { ...rs, jwt_private_key: pem })).tokens.issue !== null)
})

t.test('the jti and the issue time of a token', async (t) => {
  const { tokens } = await openIssuer(t, { jwt_secret: SECRET, jwt_clock_skew_secs: 60 })
  const of = async (more: object) => {
    const { jti, issuedAt } = await tokens.verify(hs256(claims(more)))
    return [jti, issuedAt]
  }
  const now = nowSecs()
  for (const [more, wanted] of [
    [{ jti: 'j', iat: now }, ['j', now]],
    [{ jti: 'x'.repeat(255), iat: now + 50 }, ['x'.repeat(255), now + 50]],
    [{ jti: 'x'.repeat(256) }, [null, null]],
    [{ jti: '' }, [null, null]],
    [{ jti: 'x\0y' }, [null, null]],
    [{ jti: '\nx' }, [null, null]],
    [{ jti: 'x\n' }, [null, null]],
    [{ jti: 7, iat: now - 0.5 }, [null, now - 0.5]],
    [{}, [null, null]],
  ] as const) {
    t.strictSame(await of(more), wanted, JSON.stringify(more).slice(0, 40))
  }
  for (const iat of [now + 70, String(now)]) {
    const error = await failure(() => of({ iat }))
    t.match(error, { code: 'UNAUTHENTICATED' }, 'a time in the future, and a text')
  }
})
