import type { Exchange } from '../contract/exchange.ts'
import { SvcError } from '../errors/svc-error.ts'

/** The limit that refuses a request. */
export interface Exceeded {
  /** Requests, or attempts, that it allows; 0: none for now. */
  readonly limit: number
  /** Until the next one may be let in. */
  readonly waitMs: number
  /** Until the limit counts from its beginning again. Default: `waitMs`. */
  readonly resetMs?: number
}

/**
 * The error of a request that a limit of time refuses. The answer carries the headers of that limit (spec "Limits"), in the place of those of
 * another one that the request kept to.
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
