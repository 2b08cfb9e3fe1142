import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { shapeOfAuthored } from '../../core/engine/changes/entity-shape.ts'
import { createSignals } from '../../core/service/signals/create-signals.ts'
import { openStore } from '../../core/service/stores/open-store.ts'
import { openRedis } from '../../core/service/stores/redis.ts'
import { DocumentStore } from '../../plugins/apq/document-store.ts'
import { createPendingLogins } from '../../plugins/oauth/pending-logins.ts'
import { Sessions } from '../../plugins/oauth/sessions.ts'
import { sampleChange } from '../../plugins/observers/actions/webhook.ts'
import { createRedisBus } from '../../plugins/observers/bus/redis-bus.ts'
import { createRedisLimits } from '../../plugins/rate-limiting/redis-limits.ts'
import { RedisAnswers } from '../../plugins/response-cache/redis-answers.ts'
import { createSeal } from '../../plugins/state-encryption/index.ts'
import { createRedisRevocations } from '../../plugins/token-revocation/redis-revocations.ts'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import { openApp } from '../helpers/open-app.ts'
import { startRedis } from '../helpers/redis-server.ts'
import { requireService, type TestLike } from '../helpers/services.ts'
import { listFiles, read } from '../repo/source-files.ts'
import { REST_SCHEMA, REST_SQL, restPlugin } from './rest/world.ts'

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
  [/^svc:my-svc-app:idempotency:/, HOUR],
  // Events are trimmed when all that is configured has been done with them: one that waits must not be lost.
  [/^events$/, null],
]

/** The sources that open a connection to Redis, and what of the test below makes them write. */
const WRITERS: Readonly<Record<string, string>> = {
  'core/service/stores/open-store.ts': 'all that follows',
  'core/service/stores/redis.ts': 'all that follows',
  'core/cli/doctor/examine.ts': 'nothing: it asks whether the server answers',
  'plugins/apq/index.ts': 'apq:',
  'plugins/health/index.ts': 'nothing: it asks whether the server answers',
  'plugins/oauth/index.ts': 'login:, session:, names:',
  'plugins/observers/bus/redis-bus.ts': 'events',
  'plugins/rate-limiting/open-limits.ts': 'rate:, window:',
  'plugins/response-cache/index.ts': 'cache:',
  'plugins/rest/idempotency/open-once.ts': 'idempotency:',
  'plugins/token-revocation/index.ts': 'revocation:',
}

t.test('every source that opens a connection to Redis is on the list', async (t) => {
  const opens = ['core', 'plugins']
    .flatMap((folder) => listFiles(folder, '.ts'))
    .filter((file) => {
      const text = read(file).replace(/^import type .*$/gm, '')
      return /backend: 'kvstore', url|\bopenRedis\(|\b(?:import|from)\s*\(?\s*'ioredis'/.test(text)
    })
  t.strictSame(opens.sort(), Object.keys(WRITERS).sort())
})

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

  const bus = opened(await createRedisBus(server.url, 'events'))
  const shape = shapeOfAuthored({ name: 'Account', fields: [{ name: 'id', type: 'ID!' }] } as never)
  const { event } = sampleChange(shape)
  const consumer = await bus.consume('0', () => {})
  await bus.append('0', [{ ...event, position: '1' }], true)
  await consumer.close()

  if (await requireService(t, 'postgres')) await writeOnce(t, server.url, redis)

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

/** A write with an `Idempotency-Key`: its place is taken while it runs, and then its answer is kept. */
async function writeOnce(t: TestLike, kvstore: string, redis: Awaited<ReturnType<typeof openRedis>>): Promise<void> {
  const url = await createPostgresDatabase(t, { sql: REST_SQL })
  const running: number[] = []
  const watch = plugin('watch', (scope) => {
    scope.on('mutation:before', async () => {
      const [key] = (await redis.call('KEYS', '*idempotency*')) as string[]
      running.push(Number(await redis.call('PTTL', key!)))
    })
  })
  const rest = restPlugin({ kvstore_url: kvstore, idempotency_ttl_seconds: 3600 })
  const app = await openApp(t, { kind: 'postgres', url }, REST_SCHEMA, { plugins: [rest, entry(watch)] })
  const headers = { 'idempotency-key': randomUUID() }
  const { status } = await app.inject({ method: 'POST', url: '/rest/v1/users', headers, body: { name: 'Once' } })
  t.equal(status, 201)
  t.equal(running.length, 1)
  t.ok(running[0]! > 0 && running[0]! <= 60 * SECOND, `it holds its place no longer than a request lasts: ${running}`)
}
