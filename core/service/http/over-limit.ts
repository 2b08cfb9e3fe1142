import { SvcError } from '../../base/errors/svc-error.ts'
import type { Exchange } from '../../contract/exchange.ts'

/** A limit that a request exceeded. */
export interface Exceeded {
  /** Requests or attempts that the limit allows; 0: none at present. */
  readonly limit: number
  /** Milliseconds until the next request may be allowed. */
  readonly waitMs: number
  /** Milliseconds until the limit allows its full number of requests again. Default: `waitMs`. */
  readonly resetMs?: number
}

/**
 * Creates the RATE_LIMITED error of a request (docs/plugins/rate-limiting.md). Over HTTP it also sets the headers `X-RateLimit-Limit`,
 * `X-RateLimit-Remaining` and `X-RateLimit-Reset`, which replace those of limits that the request did not exceed.
 * @param message first sentence of the error; "Try again in … s." follows
 * @returns the error, with `retryAfter` in seconds and `details: { retryAfter, limit, reset }`; `reset` is a Unix time in seconds
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
