import { type HttpExchange, type Peers, type Signals, SvcError } from '../../core/doors/plugin.ts'
import type { AdminCache, CacheStats, ClearedScope } from './api.ts'
import { readBody } from './read-body.ts'

/** Question to the other workers: their figures. */
const STATS = 'admin:cache-stats'
/** Message to the other workers: clear a `ClearedScope`. */
const CLEAR = 'admin:cache-clear'
/** Caches that every answer lists, also when they do not exist. */
const NAMED = ['query_plan', 'response', 'apq'] as const
const LONGEST_TEXT = 500

type StatsByName = Readonly<Record<string, CacheStats>>

export interface CacheRoutes {
  readonly stats: () => Promise<object>
  readonly clear: (ctx: HttpExchange) => Promise<object>
}

/**
 * Creates the handlers of `GET /cache/stats` and `POST /cache/clear` (docs/plugins/admin.md#routes). Statistics are the
 * sums of all workers. Clearing applies to all workers, but its reply only counts the entries of the worker that
 * received the request.
 * @param caches caches by name; plugins may still add some during set-up
 * @param peers connection to the other workers of the service
 * @param signals receives a warning when this worker fails to clear a cache for another worker
 */
export function cacheRoutes(caches: ReadonlyMap<string, AdminCache>, peers: Peers, signals: Signals): CacheRoutes {
  const ownStats = (): StatsByName => Object.fromEntries([...caches].map(([name, cache]) => [name, cache.stats()]))
  peers.answer(STATS, ownStats)
  peers.hear(CLEAR, (what) => {
    for (const [name, cache] of caches) {
      Promise.resolve()
        .then(() => cache.clear(what as ClearedScope))
        .catch((error: unknown) => {
          const message = `The cache "${name}" could not be cleared in this worker: ${error instanceof Error ? error.message : String(error)}`
          signals.emit({ type: 'warning', plugin: 'admin', message })
        })
    }
  })
  const names = (): readonly string[] => [...new Set([...NAMED, ...caches.keys()])]

  async function stats(): Promise<object> {
    const asked = (peers.index === null ? [ownStats()] : await peers.ask(STATS)) as readonly StatsByName[]
    const listed = names().map((name) => {
      const found = asked.flatMap((one) => one[name] ?? [])
      return found.length === 0 ? absent(name) : { cache: name, configured: true, ...printStats(sum(found)) }
    })
    const configured = listed.filter((one) => one.configured).length
    return { caches: listed, message: `${configured} of ${listed.length} caches are configured.` }
  }

  async function clear(ctx: HttpExchange): Promise<object> {
    const what = readScope(await readBody(ctx, ['scope', 'entity_type', 'pattern'], { optional: true }))
    const listed = await Promise.all(names().map((name) => clearOne(name, caches.get(name), what)))
    peers.tell(CLEAR, what)
    const cleared = listed.reduce((total, one) => total + one.entries_cleared, 0)
    const where = peers.index === null ? '' : ' in this worker; the other workers do the same'
    return {
      success: true,
      entries_cleared: cleared,
      caches: listed,
      message: `${cleared} entries were cleared${where}.`,
    }
  }
  return { stats, clear }
}

async function clearOne(name: string, cache: AdminCache | undefined, what: ClearedScope) {
  if (cache === undefined) return { cache: name, configured: false, entries_cleared: 0, note: 'not in use' }
  const cleared = await cache.clear(what)
  const note = cleared === null ? `cannot be cleared by ${what.scope}; use scope "all"` : null
  return { cache: name, configured: true, entries_cleared: cleared ?? 0, note }
}

function readScope({ scope = 'all', entity_type: entityType, pattern }: Record<string, unknown>): ClearedScope {
  if (scope !== 'all' && scope !== 'entity' && scope !== 'pattern') {
    throw new SvcError('VALIDATION_ERROR', 'scope is one of all, entity, pattern.')
  }
  if (scope !== 'entity' && entityType !== undefined) throw wrong('entity_type belongs to scope "entity".')
  if (scope !== 'pattern' && pattern !== undefined) throw wrong('pattern belongs to scope "pattern".')
  if (scope === 'entity') return { scope, entityType: textOf(entityType, 'entity_type') }
  return scope === 'pattern' ? { scope, pattern: textOf(pattern, 'pattern') } : { scope }
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT) return value
  throw wrong(`${name} is a text of 1 to ${LONGEST_TEXT} characters.`)
}

function wrong(message: string): SvcError {
  return new SvcError('VALIDATION_ERROR', message)
}

function absent(name: string) {
  return { cache: name, configured: false, ...printStats(sum([])) }
}

/** Sums the figures of all workers, except limits, which are per worker. */
function sum(all: readonly CacheStats[]): CacheStats {
  const [first] = all
  const total = (read: (one: CacheStats) => number | undefined): number =>
    all.reduce((sum, one) => sum + (read(one) ?? 0), 0)
  return {
    entries: total(({ entries }) => entries),
    hits: total(({ hits }) => hits),
    misses: total(({ misses }) => misses),
    ttlSecs: first?.ttlSecs ?? null,
    maxEntries: first?.maxEntries ?? null,
    ...(first?.bytes === undefined ? {} : { bytes: total(({ bytes }) => bytes) }),
    ...(first?.maxBytes === undefined ? {} : { maxBytes: first.maxBytes }),
  }
}

function printStats({ entries, hits, misses, ttlSecs, maxEntries, bytes, maxBytes }: CacheStats) {
  const asked = hits + misses
  return {
    entries_count: entries,
    hits,
    misses,
    ...(asked === 0 ? {} : { hit_rate: Math.round((hits / asked) * 10_000) / 10_000 }),
    ttl_secs: ttlSecs,
    max_entries: maxEntries,
    ...(bytes === undefined ? {} : { bytes }),
    ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }),
  }
}
