import { createHash, randomUUID } from 'node:crypto'
import t from 'tap'
import type { Signal } from '../../../../core/contract/signals.ts'
import type { KeyValueStore } from '../../../../core/contract/store.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'
import { MemoryStore } from '../../../../core/service/stores/memory-store.ts'
import { openStore } from '../../../../core/service/stores/open-store.ts'
import { openRedis } from '../../../../core/service/stores/redis.ts'
import { createSqlStore } from '../../../../core/service/stores/sql-store.ts'
import { storeKey } from '../../../../core/service/stores/store-key.ts'
import { STORE_TABLE } from '../../../../core/service/stores/store-table.ts'
import { makeTable } from '../../../../core/service/tables/make-table.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { failure } from '../../../helpers/kernel.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { requireService, SERVICES, type TestLike } from '../../../helpers/services.ts'
import { createTcpProxy } from '../../../helpers/tcp-proxy.ts'

const REDIS = `redis://${SERVICES.redis.host}:${SERVICES.redis.port}`

/** What every kind does alike. */
async function suite(t: TestLike, store: KeyValueStore): Promise<void> {
  t.equal(await store.get('a'), null)
  await store.set('a', '1', 10_000)
  await store.set('a', '2', 10_000)
  t.equal(await store.get('a'), '2')
  t.equal(await store.add('a', '3', 10_000), false, 'is there')
  t.equal(await store.delete('a'), true)
  t.equal(await store.delete('a'), false)
  const added = await Promise.all(Array.from({ length: 8 }, (_, i) => store.add('once', String(i), 10_000)))
  t.equal(added.filter(Boolean).length, 1, 'one of many adds it')
  const taken = await Promise.all(Array.from({ length: 8 }, () => store.take('once')))
  t.equal(taken.filter((value) => value !== null).length, 1, 'one of many takes it')

  await Promise.all(Array.from({ length: 5 }, () => store.increment('n', 10_000)))
  const counter = await store.increment('n', 60_000, 2)
  t.equal(counter.value, 7, 'no addition is lost')
  t.ok(counter.ttlMs > 5000 && counter.ttlMs <= 10_000, `its time began with the first: ${counter.ttlMs}`)

  await store.set('short', 'x', 40)
  await store.add('short too', 'x', 40)
  await store.increment('short n', 40, 5)
  await store.set('short deleted', 'x', 40)
  await new Promise((resolve) => setTimeout(resolve, 80))
  t.equal(await store.get('short'), null)
  t.equal(await store.take('short'), null)
  t.equal(await store.delete('short deleted'), false, 'what has ended is not there to be deleted')
  t.equal(await store.add('short too', 'y', 10_000), true, 'an entry that has ended is not in the way')
  t.equal(await store.get('short too'), 'y')
  t.equal((await store.increment('short n', 10_000)).value, 1)

  for (const key of ['', 'ü \0 \n', 'k'.repeat(10_000), `${'k'.repeat(10_000)}2`, "'; DROP TABLE svc_store; --"]) {
    await store.set(key, `of ${key.length}`, 10_000)
    t.equal(await store.get(key), `of ${key.length}`, 'any text is a key')
  }
}

t.test('memory', async (t) => suite(t, new MemoryStore({ maxEntries: 100, whenFull: 'refuse' })))

t.test('kvstore', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const prefix = `svc-test:${randomUUID()}:`
  const open = (p: string) => openStore(p, { backend: 'kvstore', url: REDIS, signals: createSignals() })
  const store = await open(prefix)
  t.teardown(async () => {
    const redis = await openRedis(REDIS, { signals: createSignals() })
    const keys = (await redis.call('KEYS', `${prefix}*`)) as string[]
    if (keys.length > 0) await redis.call('DEL', ...keys)
    await redis.close()
    await store.close()
  })
  await suite(t, store)
  const twin = await open(prefix)
  const stranger = await open(`${prefix}other:`)
  await store.set('shared', 'yes', 10_000)
  t.equal(await twin.get('shared'), 'yes', 'the same prefix is the same store')
  t.equal(await stranger.get('shared'), null)
  await twin.close()
  await twin.close()
  await stranger.close()
  t.equal(await store.get('shared'), 'yes', 'the connection is closed with its last user')
})

t.test('sqldb', async (t) => {
  await eachDatabase(
    t,
    async (t, test) => {
      const database = await openTestDatabase(t, test)
      t.equal(await makeTable(database, STORE_TABLE), true)
      t.equal(await makeTable(database, STORE_TABLE), false, 'the table that svc makes is one that it can use')
      await suite(t, await openStore('p:', { backend: 'sqldb', database: () => database }))
      await database.script('DROP TABLE svc_store')
      const store = await openStore('p:', { backend: 'sqldb', database: () => database })
      t.match(await failure(() => store.get('a')), { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 })
    },
    { sqlite: { sql: 'SELECT 1' }, mysql: { sql: 'DO 1' } },
  )
})

t.test('a server that is away fails every call, soon, and is found again', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const { host, port } = SERVICES.redis
  const proxy = await createTcpProxy(t, host, port)
  const signals = createSignals()
  const seen: Signal[] = []
  signals.subscribe((signal) => seen.push(signal))
  const url = `redis://:not-a-secret@127.0.0.1:${proxy.port}`
  const options = { backend: 'kvstore', url: url.replace(':not-a-secret@', ''), signals, timeoutMs: 300 } as const
  const store = await openStore(`svc-test:${randomUUID()}:`, options)
  t.teardown(() => store.close())
  await store.set('a', '1', 20_000)
  await proxy.cut()
  const calls = await Promise.all(Array.from({ length: 20 }, () => failure(() => store.get('a'))))
  for (const error of calls) t.match(error, { code: 'SERVICE_UNAVAILABLE', message: /A store that this needs/ })
  t.equal(seen.filter(({ type }) => type === 'store-down').length, 1, 'said once')
  t.match(
    seen.find(({ type }) => type === 'store-down'),
    { store: `127.0.0.1:${proxy.port}` },
  )
  await new Promise((resolve) => setTimeout(resolve, 350))
  const started = performance.now()
  for (let i = 0; i < 20; i++) await failure(() => store.get('a'))
  t.ok(performance.now() - started < (20 * options.timeoutMs) / 2, 'known to be away: at once')
  await proxy.mend()
  for (let i = 0; i < 40 && !seen.some(({ type }) => type === 'store-up'); i++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  t.equal(await store.get('a'), '1')
  t.equal(seen.filter(({ type }) => type === 'store-up').length, 1)
  proxy.freeze()
  t.match(await failure(() => store.get('a')), { code: 'SERVICE_UNAVAILABLE' }, 'one that answers nothing is away too')
})

t.test('a server that was never there', async (t) => {
  const store = await openStore('p:', {
    backend: 'kvstore',
    url: 'redis://user:hunter2hunter2@127.0.0.1:1',
    signals: createSignals(),
    timeoutMs: 100,
  })
  t.teardown(() => store.close())
  const error = await failure(() => store.set('a', '1', 1000))
  t.match(error, { code: 'SERVICE_UNAVAILABLE' })
  const { message } = error.cause as Error
  t.notMatch(`${error.message} ${message}`, /hunter2/)
})

t.test('a server that was never there is reported with the reason, before any request', async (t) => {
  const signals = createSignals()
  const seen: Signal[] = []
  signals.subscribe((signal) => seen.push(signal))
  const redis = await openRedis('redis://127.0.0.1:1', { signals, timeoutMs: 100 })
  t.teardown(() => redis.close())
  for (let i = 0; i < 100 && seen.length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(seen, [{ type: 'store-down', store: '127.0.0.1:1', error: { code: 'ECONNREFUSED' } }])
  t.match(await failure(() => redis.call('GET', 'a')), { code: 'SERVICE_UNAVAILABLE', cause: { code: 'ECONNREFUSED' } })
})

t.test('a URL that is none says what one looks like, without showing it', async (t) => {
  for (const url of ['', 'localhost:6379', 'http://:secretsecret@x', 'redis://']) {
    const error = await failure(() => openRedis(url, { signals: createSignals() }))
    t.match(error, { code: 'SVC_CONFIG_INVALID', message: /redis:\/\/host:6379/ }, url)
    t.notMatch(error.message, /secretsecret/)
  }
})

t.test('memory is bounded', async (t) => {
  let now = 0
  const refusing = new MemoryStore({ maxEntries: 2, whenFull: 'refuse', now: () => now })
  await refusing.set('a', '1', 5000)
  await refusing.set('b', '1', 500)
  await refusing.set('b', '2', 500)
  t.match(await failure(() => refusing.add('c', '1', 500)), { code: 'SERVICE_UNAVAILABLE' })
  t.equal(await refusing.get('a'), '1', 'and nothing is lost')
  now = 1000
  await refusing.set('c', '1', 500)
  t.equal(refusing.size, 2, 'what has ended makes room')

  const evicting = new MemoryStore({ maxEntries: 2, whenFull: 'evict' })
  for (const key of ['a', 'b', 'c']) await evicting.set(key, '1', 5000)
  t.same([await evicting.get('a'), await evicting.get('b'), await evicting.get('c')], [null, '1', '1'])

  const held = async (store: MemoryStore) => (await Promise.all(['a', 'b', 'c'].map((key) => store.get(key)))).join(' ')
  const small = new MemoryStore({ maxEntries: 10, maxBytes: 10, whenFull: 'evict' })
  for (const key of ['a', 'b', 'c']) await small.set(key, 'four', 5000)
  t.equal(await held(small), ' four four', 'so many characters, and no more')
  await small.set('b', 'x', 5000)
  await small.set('a', 'longer', 5000)
  t.equal(await held(small), 'longer x ', 'what a value no longer takes is free again')
  await small.take('a')
  await small.delete('b')
  await small.set('c', 'ten-bytes!', 5000)
  t.equal(await held(small), '  ten-bytes!')
  const strict = new MemoryStore({ maxEntries: 10, maxBytes: 3, whenFull: 'refuse' })
  t.match(await failure(() => strict.set('a', 'four', 5000)), { code: 'SERVICE_UNAVAILABLE' })
})

t.test('two keys never become one', async (t) => {
  const long = 'k'.repeat(500)
  t.not(storeKey('p:', long), storeKey('p:', storeKey('', long)), 'the digest of another, given as a key')
})

t.test('a key is kept as it is where every store takes it, and as its digest otherwise', async (t) => {
  const digest = (key: string) => `p:sha256:${createHash('sha256').update(key).digest('base64url')}`
  const longest = 'k'.repeat(160)
  for (const key of ['plain', '!', '~', longest, 'asha256:']) t.equal(storeKey('p:', key), `p:${key}`)
  const others = [
    '',
    ' plain',
    'plain ',
    'pl ain',
    'üplain',
    'plainü',
    '\nplain',
    'plain\n',
    'plain\x7f',
    `${longest}k`,
    'sha256:x',
  ]
  for (const key of others) t.equal(storeKey('p:', key), digest(key), JSON.stringify(key))
})

t.test('an entry of the table that has ended is deleted by a write, once a minute', async (t) => {
  await eachDatabase(
    t,
    async (t, test) => {
      const database = await openTestDatabase(t, test)
      await makeTable(database, STORE_TABLE)
      let now = 1_000_000
      const store = createSqlStore({ database: () => database, prefix: 'p:', now: () => now })
      const keys = async () => {
        const statement = { name: 'keys', text: 'SELECT "key" FROM svc_store ORDER BY "key"', readOnly: true }
        return (await database.query(statement, [], null)).rows.map(([key]) => key)
      }
      await store.set('short', 'x', 10)
      await store.set('long', 'x', 600_000)
      now += 59_999
      await store.set('early', 'x', 600_000)
      t.strictSame(await keys(), ['p:early', 'p:long', 'p:short'], 'not before the minute is over')
      now += 1
      await store.set('late', 'x', 600_000)
      const left = ['p:early', 'p:late', 'p:long']
      for (let i = 0; i < 100 && (await keys()).length > left.length; i++) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      t.strictSame(await keys(), left)
    },
    { sqlite: { sql: 'SELECT 1' }, mysql: { sql: 'DO 1' } },
  )
})

t.test('a memory store that is closed holds nothing, and has all of its room again', async (t) => {
  const store = new MemoryStore({ maxEntries: 10, maxBytes: 4, whenFull: 'refuse' })
  await store.set('a', 'four', 5000)
  t.equal(store.size, 1)
  await store.close()
  t.equal(store.size, 0)
  await store.set('b', 'four', 5000)
  t.strictSame([await store.get('a'), await store.get('b')], [null, 'four'])
})
