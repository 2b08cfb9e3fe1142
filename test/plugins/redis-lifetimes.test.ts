import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createSignals } from '../../core/signals/signals.ts'
import { openStore } from '../../core/stores/open-store.ts'
import { openRedis } from '../../core/stores/redis.ts'
import { DocumentStore } from '../../plugins/apq/document-store.ts'
import { createPendingLogins } from '../../plugins/oauth/pending-logins.ts'
import { Sessions } from '../../plugins/oauth/sessions.ts'
import { createRedisLimits } from '../../plugins/rate-limiting/redis-limits.ts'
import { RedisAnswers } from '../../plugins/response-cache/redis-answers.ts'
import { createSeal } from '../../plugins/state-encryption/create-seal.ts'
import { createRedisRevocations } from '../../plugins/token-revocation/redis-revocations.ts'
import { startRedis } from '../helpers/redis-server.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

/** Every key that svc writes to Redis, and the most that it lives. `null`: for ever, and why. */
const LIFETIMES: readonly (readonly [keys: RegExp, most: number | null])[] = [
  [/^revocation:t:/, HOUR],
  // Tokens of the subject end at times that nobody here knows: what was revoked stays so.
  [/^revocation:s:/, null],
  [/^revocation:u:/, HOUR],
  [/^rate:ip:/, 200 * SECOND + SECOND],
  [/^rate:user:/, 200 * SECOND + SECOND],
  [/^rate:failed:/, 900 * SECOND],
  [/^rate:lock:/, 900 * SECOND],
  [/^window:/, 60 * SECOND],
  [/^login:/, 600 * SECOND],
  [/^session:[\w-]{43}$/, DAY],
  [/^session:[\w-]{43}:next$/, 10 * SECOND],
  [/^names:of:/, HOUR + 60 * SECOND],
  [/^apq:/, DAY],
  [/^cache:answer:/, 60 * SECOND],
  [/^cache:mark:/, 7 * DAY],
]

t.test('every key that svc writes to Redis ends in time', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const signals = createSignals()
  const connect = () => openRedis(server.url, { signals })
  const store = (prefix: string) => openStore(prefix, { backend: 'kvstore', url: server.url, signals })
  const redis = await connect()
  t.teardown(() => redis.close())
  const closing: { close(): Promise<void> }[] = []
  const opened = <T extends { close(): Promise<void> }>(one: T): T => {
    closing.push(one)
    return one
  }
  t.teardown(() => Promise.all(closing.map((one) => one.close())))

  const revocations = opened(createRedisRevocations(await connect(), 'revocation:'))
  const token = { issuer: 'i', subject: 's', issuedAt: 1, aheadSecs: 0, endsAt: Date.now() + HOUR }
  await revocations.isRevoked({ ...token, jti: randomUUID() })
  await revocations.revoke({ ...token, jti: randomUUID() })
  await revocations.revokeAll('s', Date.now())

  const rate = { perSecond: 1, burst: 200 }
  const rules = { rates: { ip: rate, user: rate }, lockoutMs: 900 * SECOND }
  const limits = opened(createRedisLimits(rules, await connect(), await store('window:'), 'rate:'))
  for (let i = 0; i < 3; i++) for (const kind of ['ip', 'user'] as const) await limits.take(kind, 'ann', [])
  await limits.count('start', '10.0.0.1', 60 * SECOND)
  await limits.count('start', '10.0.0.1', 60 * SECOND)
  for (const [name, max] of [
    ['guessed:a', 2],
    ['guessed:b', 10],
  ] as const) {
    for (let i = 0; i < 2; i++) await limits.fail([{ name, max }])
  }

  const seal = createSeal('aes-256-gcm', createHash('sha256').update('x').digest())
  await createPendingLogins(opened(await store('login:')), seal, 600 * SECOND).begin(
    { provider: 'p', verifier: 'v', nonce: 'n', redirectUri: null },
    'browser',
  )
  const sessions = new Sessions({
    store: opened(await store('session:')),
    names: opened(await store('names:')),
    seal,
    ended: async () => {},
  })
  const expiresAt = Math.floor((Date.now() + HOUR) / 1000)
  const last = { issuer: 'i', subject: 's', jti: 'j', issuedAt: 1, ownClock: true, expiresAt }
  const session = { provider: 'p', profile: null, refreshToken: null, last, endsAt: Date.now() + DAY }
  await sessions.refresh(await sessions.begin(session), async (next) => ({ result: 1, next }))

  opened(new DocumentStore({ maxEntries: 10, maxBytes: 10_000, shared: await store('apq:'), ttlMs: DAY })).store(
    'hash',
    '{ a }',
  )
  const answers = opened(new RedisAnswers(await connect(), 'cache:', 1000))
  await answers.look('k', ['v_a'])
  await sleep(100)
  ;(await answers.look('k', ['v_a'])).keep?.({ data: '{}', errors: null }, 60 * SECOND)
  await sleep(100)

  const keys = (await redis.call('KEYS', '*')) as string[]
  const seen = new Set<RegExp>()
  for (const key of keys.sort()) {
    const rules = LIFETIMES.filter(([pattern]) => pattern.test(key))
    t.equal(rules.length, 1, `${key} is on the list, once`)
    const [pattern, most] = rules[0] ?? []
    if (pattern !== undefined) seen.add(pattern)
    const left = Number(await redis.call('PTTL', key))
    if (most === null) t.equal(left, -1, `${key} stays`)
    else t.ok(left > 0 && left <= (most ?? 0), `${key} ends in ${left} ms`)
  }
  t.strictSame(
    LIFETIMES.filter(([pattern]) => !seen.has(pattern)).map(([pattern]) => String(pattern)),
    [],
    'each kind of key was written',
  )
})
