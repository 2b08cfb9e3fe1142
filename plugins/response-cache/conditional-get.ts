import { http } from '../../core/doors/front.ts'
import { type Exchange, type HttpExchange, type Reply, WrappedText } from '../../core/doors/plugin.ts'

/** Browsers revalidate every time, and get a short 304 when nothing changed. */
const CONTROL = 'private, no-cache'

export interface ConditionalGet {
  /** Marks a request as one whose result may be cached, so that its reply gets an entity tag. */
  mark(ctx: Exchange | HttpExchange): void
  /**
   * Adds an `ETag` to the reply of a marked request.
   * @returns the reply with the tag; 304 without a body if the client already has it (RFC 9110, 13.1.2)
   */
  answer(ctx: HttpExchange, reply: Reply): Reply
}

/**
 * Creates the handling of `ETag`, `Cache-Control` and `If-None-Match` for replies to GET that may be cached.
 * @param tagger computes the entity tag of a body
 */
export function createConditionalGet(tagger: http.EntityTagger): ConditionalGet {
  const kept = new WeakSet<Exchange>()
  return {
    mark(ctx) {
      if ('route' in ctx && ctx.route?.method === 'GET') kept.add(ctx)
    },
    answer(ctx, reply) {
      const { status, body } = reply
      if (status !== 200 || !kept.has(ctx) || !(typeof body === 'string' || body instanceof WrappedText)) return reply
      const tag = tagger(body)
      const headers: Reply['headers'] = { ...reply.headers, 'cache-control': CONTROL, etag: tag }
      const known = ctx.headers['if-none-match']
      if (known === undefined || !http.matchesTag(String(known), tag)) return { status, headers, body }
      const { 'content-type': _, ...left } = headers
      return { status: 304, headers: left, body: null }
    },
  }
}
