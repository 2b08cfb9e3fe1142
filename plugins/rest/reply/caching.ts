import createHasher, { type XXHashAPI } from 'xxhash-wasm'
import type { HttpExchange, NamedType, QueryModel, Reply, WrappedText } from '../../../core/index.ts'
import type { RestOptions } from '../options.ts'

/** How long an answer may be kept, by whom, and whether the client has it already (behaviours 10.9). */
export interface Caching {
  /** The answer to a GET that succeeded. */
  answer(
    ctx: HttpExchange,
    query: QueryModel,
    headers: Record<string, string | readonly string[]>,
    body: string | WrappedText,
  ): Reply
}

const VARY = 'Authorization, Accept, Prefer'

/**
 * @param varies do answers depend on headers beyond credentials? Then no cache may share them
 * @param keyHeader the header of API keys, where they are on
 */
export async function createCaching(
  options: RestOptions,
  varies: boolean,
  keyHeader: string | null = null,
): Promise<Caching> {
  const vary = keyHeader === null ? VARY : `${VARY}, ${keyHeader}`
  const hasher = options.etag ? await createHasher() : null
  return {
    answer(ctx, query, headers, body) {
      headers['cache-control'] = cacheControl(ctx, query, options, varies)
      // Who logs in or out in one browser is not shown what another was.
      headers.vary = ctx.headers.cookie === undefined ? vary : `${vary}, Cookie`
      if (hasher === null) return { status: 200, headers, body }
      const tag = tagOf(hasher, body)
      headers.etag = tag
      const known = ctx.headers['if-none-match']
      if (known === undefined || !matches(String(known), tag)) return { status: 200, headers, body }
      const { 'content-type': _, ...kept } = headers
      return { status: 304, headers: kept, body: null }
    },
  }
}

function cacheControl(ctx: HttpExchange, query: QueryModel, options: RestOptions, varies: boolean): string {
  const ttl = query.cache === false ? 0 : (query.cacheTtl ?? options.default_cache_ttl)
  const { auth, headers } = ctx
  const isPrivate =
    varies || auth !== null || headers.authorization !== undefined || headers.cookie !== undefined || hasRowRules(query)
  if (ttl === 0) return isPrivate ? 'private, no-cache' : 'no-cache'
  if (isPrivate) return `private, max-age=${ttl}`
  return options.cdn_max_age === undefined
    ? `public, max-age=${ttl}`
    : `public, max-age=${ttl}, s-maxage=${options.cdn_max_age}`
}

const reachesRules = new WeakMap<QueryModel, boolean>()

/**
 * What rows there are may follow from what middleware lays down, which no header tells: those of the query, and of every type
 * that an embedded list or a filter reaches from it.
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
  // A set gives what is added to it while it is gone through.
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

/** Weak, because the same rows may come in other bytes. */
function tagOf({ h64, h64Raw }: XXHashAPI, body: string | WrappedText): string {
  if (typeof body === 'string') return `W/"${hex(h64(body))}"`
  const seed = h64(`${body.before}${body.after}`)
  return `W/"${hex(body.text.read((bytes) => h64Raw(bytes, seed)))}"`
}

function hex(hash: bigint): string {
  return hash.toString(16).padStart(16, '0')
}

/** A list of tags, or `*`; compared weakly (RFC 9110, 13.1.2). */
export function matches(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  const plain = tag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === plain)
}
