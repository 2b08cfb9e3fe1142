import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { DoctorHost } from '../../../core/cli/doctor/doctor-check.ts'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { openRedis } from '../../../core/service/stores/redis.ts'
import checkCache from '../../../plugins/response-cache/doctor.ts'
import responseCache from '../../../plugins/response-cache/index.ts'
import { MemoryAnswers } from '../../../plugins/response-cache/memory-answers.ts'
import type { CachingOptions } from '../../../plugins/response-cache/options.ts'
import { RedisAnswers } from '../../../plugins/response-cache/redis-answers.ts'
import { createPglite } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { LIBRARY_SQL, OPEN_LIBRARY } from '../../helpers/library.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'

const REDIS = `redis://${SERVICES.redis.host}:${SERVICES.redis.port}`

t.test('the health of a cache in memory says how much of it is taken', async (t) => {
  const database = { kind: 'pglite', url: await createPglite(t, { sql: LIBRARY_SQL }) } as const
  const schema = { ...OPEN_LIBRARY, queries: OPEN_LIBRARY.queries?.map((one) => ({ ...one, cache_ttl: 60 })) ?? [] }
  const caching = { enabled: true, max_memory_entries: 7 }
  const app = await openApp(t, database, schema, { plugins: [entry(responseCache, caching)] })
  const health = async () => (await app.inject({ url: '/health' })).json<{ readonly cache: object }>().cache
  t.strictSame(await health(), { ok: true, backend: 'memory', size: 0, max_size: 7 })
  t.equal((await app.graphql('{ books { id } }')).errors, undefined)
  t.strictSame(await health(), { ok: true, backend: 'memory', size: 1, max_size: 7 })
})

t.test('the doctor says what is kept, where, and that nothing is', async (t) => {
  const check = async (queries: readonly object[] | null, backend: CachingOptions['backend'] = 'memory') =>
    (
      await checkCache({
        options: { backend },
        schema: queries === null ? null : { queries },
      } as unknown as DoctorHost<CachingOptions>)
    ).map(({ name, state, message }) => [name, state, message])
  const apart = 'are kept, apart for callers whom a rule, a claim, a session variable or a role tells apart'
  const named = (...names: readonly string[]) => names.map((name) => ({ name, cache_ttl: 60 }))
  t.match(await check(null), [['cache', 'skipped', /no schema/]])
  for (const none of [
    [],
    [{ name: 'a' }],
    [{ name: 'a', cache_ttl: 0 }],
    [{ name: 'a', cache_ttl: 60, cache: false }],
  ]) {
    t.match(await check(none), [['cache', 'warning', /^No query of the schema has a cache_ttl, or cache = true/]])
  }
  const onOne = '; on one machine: for several take backend = "kvstore"'
  t.strictSame(await check(named('a')), [['cache', 'ok', `answers of a ${apart}${onOne}`]])
  t.strictSame(await check([{ name: 'a', cache: true }], 'kvstore'), [
    ['cache', 'ok', `answers of a ${apart}, in Redis`],
  ])
  t.strictSame(await check(named('a', 'b', 'c')), [['cache', 'ok', `answers of a, b, c ${apart}${onOne}`]])
  t.strictSame(await check(named('a', 'b', 'c', 'd', 'e')), [
    ['cache', 'ok', `answers of a, b, c and 2 more ${apart}${onOne}`],
  ])
})

t.test('an answer in memory weighs its text and what stands beside it', async (t) => {
  const memory = new MemoryAnswers({ maxEntries: 10, maxBytes: 100_000, evicted() {} })
  for (const key of ['a', 'b']) memory.look(key, ['v']).keep?.({ data: 'x'.repeat(1000), errors: null }, 1000)
  t.strictSame(memory.size, { entries: 2, bytes: 5000 })
  memory.invalidate(['v'])
  t.strictSame(memory.size, { entries: 0, bytes: 0 })
})

t.test('an answer in memory ends with its time, and not before', async (t) => {
  let now = 0
  const memory = new MemoryAnswers({ maxEntries: 10, maxBytes: 100_000, evicted() {}, now: () => now })
  memory.look('a', ['v']).keep?.({ data: '{}', errors: null }, 1000)
  now = 999
  t.strictSame(memory.look('a', ['v']).found, { data: '{}', errors: null })
  now = 1000
  t.equal(memory.look('a', ['v']).found, null)
  t.equal(memory.size.entries, 0)
})

t.test('an answer that is too long is not sent to the store', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const answers = new RedisAnswers(await openRedis(REDIS, { signals: createSignals() }), `svc:${randomUUID()}:`, 10)
  t.teardown(() => answers.close())
  const kept = async (key: string, data: string | null) => {
    await answers.look(key, ['v'])
    await sleep(50)
    ;(await answers.look(key, ['v'])).keep?.({ data, errors: null }, 60_000)
    await sleep(50)
    return (await answers.look(key, ['v'])).found
  }
  t.strictSame(await kept('fits', '0123456789'), { data: '0123456789', errors: null })
  t.equal(await kept('is long', '0123456789a'), null)
  t.equal(await kept('is none', null), null)
})

t.test('a write that the store has not heard of counts for every answer with one of its views', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const proxy = await createTcpProxy(t, SERVICES.redis.host, SERVICES.redis.port)
  const url = `redis://127.0.0.1:${proxy.port}`
  const prefix = `svc:${randomUUID()}:`
  // The first cannot tell the store; the second, beside the proxy, would still find what is there.
  const away = new RedisAnswers(await openRedis(url, { signals: createSignals(), timeoutMs: 5000 }), prefix, 1000)
  t.teardown(() => away.close())
  const keys = { 'a b': ['v_a', 'v_b'], b: ['v_b'], c: ['v_c'] }
  for (let i = 0; i < 2; i++) {
    for (const [key, views] of Object.entries(keys)) {
      ;(await away.look(key, views)).keep?.({ data: key, errors: null }, 60_000)
    }
    await sleep(50)
  }
  const found = () =>
    Promise.all(Object.entries(keys).map(async ([key, views]) => (await away.look(key, views)).found?.data ?? null))
  t.strictSame(await found(), ['a b', 'b', 'c'])
  proxy.freeze()
  const told = away.invalidate(['v_a'])
  const looked = found()
  proxy.thaw()
  t.strictSame(await looked, [null, 'b', 'c'], 'from the moment of the write, before the store has it')
  await told
  t.strictSame(await found(), [null, 'b', 'c'])
  await away.invalidate(null)
  t.strictSame(await found(), [null, null, null])
})
