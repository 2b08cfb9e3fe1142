import { http, type NamedType } from '../../../core/doors/front.ts'
import type { HttpExchange, QueryModel, Reply, WrappedText } from '../../../core/doors/plugin.ts'

/**
 * Adds caching headers to replies of REST: `Cache-Control`, `Vary` and `ETag`, and 304 for `If-None-Match` (RFC 9110,
 * section 13; RFC 9111).
 */
export interface Caching {
  /**
   * Creates the reply to a successful GET.
   * @param headers further headers; the caching headers are added to this object
   */
  answer(
    ctx: HttpExchange,
    query: QueryModel,
    headers: Record<string, string | readonly string[]>,
    body: string | WrappedText,
  ): Reply
}

const VARY = 'Authorization, Accept, Prefer'

/** Options of `[rest]` for `Cache-Control`, in seconds. */
export interface CachingOptions {
  readonly default_cache_ttl: number
  readonly cdn_max_age?: number
}

export interface CachingParts {
  /** Computes the `ETag` of a body; `null`: replies have none. */
  readonly tagger: http.EntityTagger | null
}

/**
 * Creates the caching headers of REST replies. Replies to callers with a credential later become `private` or
 * `no-store`, as in all APIs.
 */
export function createCaching(options: CachingOptions, { tagger }: CachingParts): Caching {
  return {
    answer(ctx, query, headers, body) {
      headers['cache-control'] = cacheControl(query, options)
      headers.vary = VARY
      if (tagger === null) return { status: 200, headers, body }
      const tag = tagger(body)
      headers.etag = tag
      const known = ctx.headers['if-none-match']
      if (known === undefined || !http.matchesTag(String(known), tag)) return { status: 200, headers, body }
      const { 'content-type': _, ...kept } = headers
      return { status: 304, headers: kept, body: null }
    },
  }
}

function cacheControl(query: QueryModel, options: CachingOptions): string {
  const { cache, cache_ttl: seconds = options.default_cache_ttl } = query.keys
  const ttl = cache === false ? 0 : seconds
  const isPrivate = hasRowRules(query)
  if (ttl === 0) return isPrivate ? 'private, no-cache' : 'no-cache'
  if (isPrivate) return `private, max-age=${ttl}`
  return options.cdn_max_age === undefined
    ? `public, max-age=${ttl}`
    : `public, max-age=${ttl}, s-maxage=${options.cdn_max_age}`
}

const reachesRules = new WeakMap<QueryModel, boolean>()

/**
 * Do row filters or injected values of middleware apply to the query, or to a type that an embedded list or a filter reaches from it?
 * They depend on the caller in ways that no request header shows, so shared caches must not store the reply.
 */
function hasRowRules(query: QueryModel): boolean {
  let known = reachesRules.get(query)
  if (known === undefined) {
    known = query.rowFilter !== undefined || query.inject.length > 0 || reachable(query.named).some(hasOwnRules)
    reachesRules.set(query, known)
  }
  return known
}

function hasOwnRules(type: NamedType): boolean {
  return type.kind === 'object' && (type.rowFilter !== undefined || type.inject.length > 0)
}

function reachable(from: NamedType): readonly NamedType[] {
  const seen = new Set([from])
  // Iteration over a Set includes entries added during the iteration.
  for (const type of seen) {
    const next =
      type.kind === 'object'
        ? [...type.fields.values()].map(({ named }) => named)
        : type.kind === 'interface' || type.kind === 'union'
          ? type.members
          : []
    for (const each of next) seen.add(each)
  }
  return [...seen]
}
