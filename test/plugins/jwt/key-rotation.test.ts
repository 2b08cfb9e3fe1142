import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import t from 'tap'
import type { VerifiedToken } from '../../../plugins/jwt/api.ts'
import { createVerifier } from '../../../plugins/jwt/create-verifier.ts'
import { KeySet } from '../../../plugins/jwt/key-set.ts'
import { failure } from '../../helpers/kernel.ts'
import { claims, EC, es256, jwkOf, RSA, rs256 } from './who.ts'

const NEXT = generateKeyPairSync('rsa', { modulusLength: 2048 })
const OPTIONS = {
  jwt_issuers: [],
  jwt_roles_claim: 'roles',
  jwt_clock_skew_secs: 60,
  jwt_max_bytes: 8192,
  jwt_cache_bytes: 0,
}

/** One issuer whose clock and keys the test moves. */
function createIssuer(key: KeyObject, kid: string) {
  const issuer = { now: 1_000_000, fetches: 0, keys: [jwkOf(key, kid)] as object[], isAway: false, changes: 0 }
  const set = new KeySet({
    async fetch() {
      issuer.fetches++
      if (issuer.isAway) throw new Error('away')
      return { keys: issuer.keys }
    },
    changed: () => void issuer.changes++,
    failed: () => {},
    now: () => issuer.now,
  })
  const trusted = {
    issuer: null,
    audience: null,
    algorithms: ['RS256', 'ES256'] as const,
    key: set.key.bind(set),
    fetched: set,
  }
  const verify: (token: string) => Promise<VerifiedToken> = createVerifier([trusted], OPTIONS)
  return Object.assign(issuer, { verify })
}

t.test('a key replaced under its old name is fetched as soon as a signature does not match', async (t) => {
  const issuer = createIssuer(RSA.publicKey, 'k')
  t.equal((await issuer.verify(rs256(claims(), RSA.privateKey, 'k'))).subject, 'ann')
  issuer.keys = [jwkOf(NEXT.publicKey, 'k')]
  issuer.now += 30_000
  const fresh = rs256(claims({ sub: 'bob' }), NEXT.privateKey, 'k')
  const both = await Promise.all([issuer.verify(fresh), issuer.verify(fresh)])
  t.strictSame(
    both.map(({ subject }) => subject),
    ['bob', 'bob'],
  )
  t.equal(issuer.fetches, 2, 'tokens that come together share one fetch')
  t.equal(issuer.changes, 1, 'and tokens of the old key are verified again')
  const old = await failure(() => issuer.verify(rs256(claims(), RSA.privateKey, 'k')))
  t.match(old, { code: 'UNAUTHENTICATED', reason: 'signature' }, 'the old key is gone')
})

t.test('a key without a name, and one of another kind, are replaced alike', async (t) => {
  const nameless = { ...jwkOf(RSA.publicKey, ''), kid: undefined }
  const issuer = createIssuer(RSA.publicKey, 'k')
  issuer.keys = [nameless]
  await issuer.verify(rs256())
  issuer.keys = [{ ...jwkOf(NEXT.publicKey, ''), kid: undefined }]
  issuer.now += 30_000
  t.equal((await issuer.verify(rs256(claims(), NEXT.privateKey))).subject, 'ann')
  issuer.keys = [jwkOf(EC.publicKey, 'k')]
  issuer.now += 30_000
  t.equal((await issuer.verify(es256(claims(), EC.privateKey, 'k'))).subject, 'ann')
})

t.test('forged signatures cause one fetch in 30 seconds at most', async (t) => {
  const issuer = createIssuer(RSA.publicKey, 'k')
  await issuer.verify(rs256(claims(), RSA.privateKey, 'k'))
  const forged = rs256(claims(), NEXT.privateKey, 'k')
  for (let i = 0; i < 20; i++)
    t.match(await failure(() => issuer.verify(forged)), { code: 'UNAUTHENTICATED', reason: 'signature' })
  t.equal(issuer.fetches, 1, 'keys that were fetched a moment ago are not fetched again')
  issuer.now += 29_999
  await failure(() => issuer.verify(forged))
  t.equal(issuer.fetches, 1)
  issuer.now += 1
  for (let i = 0; i < 20; i++) await failure(() => issuer.verify(forged))
  t.equal(issuer.fetches, 2)
  t.equal(issuer.changes, 0, 'keys that are the same leave the cache of tokens')
})

t.test('a signature that does not match while the issuer is away is a refused token, not an outage', async (t) => {
  const issuer = createIssuer(RSA.publicKey, 'k')
  const good = rs256(claims(), RSA.privateKey, 'k')
  await issuer.verify(good)
  issuer.isAway = true
  issuer.now += 30_000
  const forged = rs256(claims(), NEXT.privateKey, 'k')
  t.match(await failure(() => issuer.verify(forged)), { code: 'UNAUTHENTICATED', reason: 'signature' })
  t.equal(issuer.fetches, 2)
  t.equal((await issuer.verify(good)).subject, 'ann')
})
