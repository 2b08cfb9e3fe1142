import { http } from '../../core/doors/front.ts'
import {
  definePlugin,
  type Exchange,
  isPromise,
  type MaybePromise,
  noteCacheUse,
  type Operation,
  type OperationTemplate,
  openRedis,
  type Result,
  type RootSelection,
  type Scope,
  SvcError,
} from '../../core/doors/plugin.ts'
import type {} from '../admin/api.ts'
import type {} from '../graphql/api.ts'
import type {} from '../health/api.ts'
import type { Answers, Lookup } from './answers.ts'
import type { ResponseCache } from './api.ts'
import { createConditionalGet } from './conditional-get.ts'
import { matchViews, shareInvalidations, TouchedViews } from './invalidation.ts'
import manifest from './manifest.ts'
import { MemoryAnswers } from './memory-answers.ts'
import type { CachingOptions } from './options.ts'
import { RedisAnswers } from './redis-answers.ts'

/**
 * The plugin that caches query results (docs/plugins/response-cache.md). A result is removed when a view that it reads
 * is written, before the writer gets its reply. A result that was read before such a write is not cached.
 */
export default definePlugin<CachingOptions>(manifest, async (scope, options) => {
  const evictions = scope.metrics.counter('svc_cache_evictions_total')
  const answers = await openAnswers(scope, options, () => evictions.add())
  scope.onClose(() => answers.close())
  // An unreachable store is a cache miss, and the service stays healthy.
  const health = scope.use('health', { optional: true })
  if (options.backend === 'kvstore') health?.addStore('cache', { url: options.kvstore_url, isNeeded: false })
  else
    health?.add('cache', () => ({
      ok: true,
      backend: 'memory',
      size: answers.size.entries,
      max_size: options.max_memory_entries,
    }))
  const uses = { hits: 0, misses: 0 }
  const hits = scope.metrics.counter('svc_cache_hits_total')
  const misses = scope.metrics.counter('svc_cache_misses_total')
  const invalidations = scope.metrics.counter('svc_cache_invalidations_total')
  scope.metrics.gauge('svc_cache_hit_ratio', () => (uses.hits === 0 ? 0 : uses.hits / (uses.hits + uses.misses)))

  const touched = scope.perGeneration((schema) => new TouchedViews(schema))
  // A shared store is invalidated once for all machines, but caches of processes need a message.
  const share =
    options.backend === 'memory'
      ? shareInvalidations(scope.process.peers, (views) => void answers.invalidate(views))
      : null
  async function invalidate(views: readonly string[] | null): Promise<void> {
    if (views?.length === 0) return
    invalidations.add()
    await answers.invalidate(views)
    await share?.(views)
  }

  /** Lifetimes by document, because most documents are requested repeatedly. */
  const ttls = new WeakMap<OperationTemplate, number>()
  function keepsFor(template: OperationTemplate): number {
    let ttl = ttls.get(template)
    if (ttl === undefined) {
      ttl = ttlOf(template, options.default_ttl_secs)
      ttls.set(template, ttl)
    }
    return ttl
  }

  const conditional = createConditionalGet(await http.createEntityTagger())
  const graphql = scope.use('graphql', { optional: true })
  if (graphql !== undefined) {
    scope.on('onRequest', (ctx, next) => {
      // REST sets its own caching headers.
      if (ctx.transport !== 'http' || ctx.route?.method !== 'GET' || ctx.route.path !== graphql.endpoint) return next()
      const reply = next()
      return isPromise(reply) ? reply.then((each) => conditional.answer(ctx, each)) : conditional.answer(ctx, reply)
    })
  }

  const isNoted = scope.config.server.access_log

  function say(ctx: Exchange, what: 'HIT' | 'MISS'): void {
    if (isNoted) noteCacheUse(ctx, what === 'HIT')
    if (options.response_header) ctx.replyHeaders = { ...ctx.replyHeaders, 'x-cache': what }
  }

  function answer(ctx: Exchange, lookup: Lookup, ttl: number, next: () => MaybePromise<Result>): MaybePromise<Result> {
    if (lookup.found !== null) {
      uses.hits++
      hits.add()
      say(ctx, 'HIT')
      return lookup.found
    }
    uses.misses++
    misses.add()
    say(ctx, 'MISS')
    const result = next()
    if (lookup.keep === null) return result
    const keep = (made: Result): void => {
      if (isKept(made, options.max_answer_bytes)) lookup.keep?.(made, ttl)
    }
    // Stored before it is sent, because the text is not available afterwards.
    if (isPromise(result)) result.then(keep, () => {})
    else keep(result)
    return result
  }

  function read(
    ctx: Exchange,
    operation: Operation,
    ttl: number,
    next: () => MaybePromise<Result>,
  ): MaybePromise<Result> {
    const key = scope.engine.answerKey(ctx, operation)
    if (key === null) return next()
    conditional.mark(ctx)
    const lookup = answers.look(key, scope.engine.sourcesOf(ctx, operation))
    return isPromise(lookup) ? lookup.then((each) => answer(ctx, each, ttl, next)) : answer(ctx, lookup, ttl, next)
  }

  async function write(ctx: Exchange, operation: Operation, next: () => MaybePromise<Result>): Promise<Result> {
    const views = touched.of(ctx.generation)
    let result: Result
    try {
      result = await next()
    } catch (error) {
      // A failed write may have been committed: the connection can break after COMMIT.
      await invalidate(views.ofWrite(operation.template, null))
      throw error
    }
    if (operation.write?.dryRun !== true) {
      const known = result.errors === null ? (result.writes ?? null) : null
      await invalidate(views.ofWrite(operation.template, known))
    }
    return result
  }

  scope.on(
    'resolve',
    (ctx, operation, next) => {
      const { template } = operation
      if (template.kind === 'mutation') return write(ctx, operation, next)
      const ttl = keepsFor(template)
      return ttl === 0 || operation.form !== undefined ? next() : read(ctx, operation, ttl, next)
    },
    { position: 'cache' },
  )
  // Mutations report the rows that they wrote only if `afterCommit` has a listener.
  scope.on('afterCommit', () => {})

  const api: ResponseCache = {
    invalidateViews: invalidate,
    invalidateEntity: (typeName) => invalidate(touched.of(scope.process.generation).ofType(typeName)),
    invalidatePattern: (pattern) => invalidate(matchViews(scope.process.generation.schema, pattern)),
    clear: () => invalidate(null),
  }
  scope.provide('responseCache', api)
  scope.use('admin', { optional: true })?.cache({
    name: 'response',
    stats: () => ({
      ...uses,
      ...answers.size,
      ttlSecs: options.default_ttl_secs,
      maxEntries: options.backend === 'memory' ? options.max_memory_entries : null,
      ...(options.backend === 'memory' ? { maxBytes: options.max_memory_bytes } : {}),
    }),
    async clear(what) {
      const { schema } = scope.process.generation
      if (what.scope === 'all') return answers.invalidate(null)
      const views =
        what.scope === 'entity'
          ? touched.of(scope.process.generation).ofType(what.entityType)
          : matchViews(schema, what.pattern)
      return answers.invalidate(views)
    },
  })
})

/** Can the result be stored? Errors, streams and long texts cannot. */
function isKept({ data, text, errors, stream }: Result, maxBytes: number): boolean {
  if (errors !== null || stream !== undefined) return false
  return text === undefined ? data !== null && data.length <= maxBytes : text.length <= maxBytes
}

async function openAnswers(scope: Scope, options: CachingOptions, evicted: () => void): Promise<Answers> {
  const { backend, kvstore_url: url } = options
  if (backend === 'memory') {
    return new MemoryAnswers({ maxEntries: options.max_memory_entries, maxBytes: options.max_memory_bytes, evicted })
  }
  if (url === undefined)
    throw new SvcError('SVC_CONFIG_INVALID', '[svc.caching] has the backend "kvstore" and no kvstore_url.')
  // A slow store would have no benefit.
  const redis = await openRedis(url, { signals: scope.signals, timeoutMs: STORE_TIMEOUT_MS })
  return new RedisAnswers(redis, `svc:${scope.config.project.name}:cache:`, options.max_answer_bytes)
}

const STORE_TIMEOUT_MS = 250

/**
 * Returns how long responses of an operation may be cached: the shortest time of its roots.
 * @returns milliseconds; 0 for writes, subscriptions, roots without `cache_ttl`, and roots that a plugin resolves
 */
function ttlOf({ kind, roots, hasCalls }: OperationTemplate, defaultSecs: number): number {
  if (kind !== 'query' || hasCalls === true) return 0
  // `__typename` never changes.
  const read = roots.filter(({ kind }) => kind !== 'typename')
  return read.length === 0 ? 0 : Math.min(...read.map((root) => secsOf(root, defaultSecs))) * 1000
}

function secsOf(root: RootSelection, defaultSecs: number): number {
  if ((root.kind !== 'operation' && root.kind !== 'aggregate') || root.operation.kind !== 'query') return 0
  const { cache, cache_ttl: seconds } = root.operation.keys
  if (cache === false) return 0
  return seconds ?? (cache === true ? defaultSecs : 0)
}
