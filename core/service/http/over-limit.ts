import { SvcError } from '../../base/errors/svc-error.ts'
import type { Exchange } from '../../contract/exchange.ts'

/** A rate limit that a request exceeded, for {@link overLimit}. */
export interface Exceeded {
  /** Number of requests or attempts that the limit allows in its period; 0: none at present. */
  readonly limit: number
  /** Milliseconds until the client may try again. */
  readonly waitMs: number
  /** Milliseconds until the limit allows its full number of requests again. Default: `waitMs`. */
  readonly resetMs?: number
}

/**
 * Creates the RATE_LIMITED error for a request that exceeded a limit (docs/plugins/rate-limiting.md). For an HTTP
 * request, it also sets the headers `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`.
 * @param message first sentence of the error; "Try again in … s." follows
 * @returns the error, with `retryAfter` in seconds and `details: { retryAfter, limit, reset }`; `reset` is a Unix time
 * in seconds
 */
export function overLimit(ctx: Exchange, message: string, { limit, waitMs, resetMs = waitMs }: Exceeded): SvcError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000))
  const reset = Math.ceil((Date.now() + resetMs) / 1000)
  if (ctx.transport === 'http') {
    ctx.replyHeaders = {
      ...ctx.replyHeaders,
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(reset),
    }
  }
  const details = { retryAfter, limit, reset }
  return new SvcError('RATE_LIMITED', `${message} Try again in ${retryAfter} s.`, { retryAfter, details })
}
