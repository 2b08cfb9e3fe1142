import t from 'tap'
import type { HttpExchange, Peers, Signal, Signals } from '../../../core/doors/plugin.ts'
import type { AdminCache, CacheStats, ClearedScope } from '../../../plugins/admin/api.ts'
import { cacheRoutes } from '../../../plugins/admin/caches.ts'

const stats = (entries: number, hits: number, misses: number): CacheStats => ({
  entries,
  hits,
  misses,
  ttlSecs: null,
  maxEntries: null,
  bytes: entries * 10,
  maxBytes: 1000,
})

t.test('workers: figures are added up, and what is cleared is cleared in all', async (t) => {
  const told: unknown[] = []
  const heard = new Map<string, (value: unknown) => void>()
  const peers: Peers = {
    index: 1,
    answer() {},
    ask: async () => [{ query_plan: stats(1, 8, 2) }, { query_plan: stats(2, 0, 0) }],
    tell: (topic, value) => void told.push([topic, value]),
    hear(topic, listener) {
      heard.set(topic, listener)
      return () => {}
    },
  }
  const cleared: ClearedScope[] = []
  const cache: AdminCache = {
    name: 'query_plan',
    stats: () => stats(1, 8, 2),
    clear(what) {
      cleared.push(what)
      if (what.scope === 'pattern') throw new Error('no')
      return 1
    },
  }
  const broken: AdminCache = {
    ...cache,
    name: 'broken',
    clear(what) {
      if (what.scope === 'entity') throw new Error('it is jammed')
      return 0
    },
  }
  const said: Signal[] = []
  const signals = { emit: (signal: Signal) => void said.push(signal) } as unknown as Signals
  const all = [broken, cache].map((each) => [each.name, each] as const)
  const routes = cacheRoutes(new Map(all), peers, signals)
  t.match(await routes.stats(), {
    caches: [
      {
        cache: 'query_plan',
        configured: true,
        entries_count: 3,
        hits: 8,
        misses: 2,
        hit_rate: 0.8,
        bytes: 30,
        max_bytes: 1000,
      },
      { cache: 'response', configured: false, entries_count: 0 },
      { cache: 'apq', configured: false },
    ],
    message: '1 of 4 caches are configured.',
  })
  const ctx = { headers: {}, readBody: async () => Buffer.alloc(0) } as unknown as HttpExchange
  t.match(await routes.clear(ctx), { entries_cleared: 1, message: /the other workers do the same/ })
  t.same(told, [['admin:cache-clear', { scope: 'all' }]])
  heard.get('admin:cache-clear')!({ scope: 'entity', entityType: 'Book' })
  await new Promise(setImmediate)
  t.same(cleared, [{ scope: 'all' }, { scope: 'entity', entityType: 'Book' }], 'what another worker tells is done here')
  t.match(said, [{ type: 'warning', message: /cache "broken" .* it is jammed$/ }], 'and what could not be done is said')
})
