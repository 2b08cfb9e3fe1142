import { type Exchange, overLimit, type SvcError } from '../../core/doors/plugin.ts'
import type { Rate } from './limits.ts'

const nowSecs = (ms: number): number => Math.ceil((Date.now() + ms) / 1000)

/** Milliseconds until a bucket is full. */
const msUntilFull = ({ perSecond, burst }: Rate, tokens: number): number => ((burst - tokens) / perSecond) * 1000

/**
 * Creates the function that sets the headers `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`. The
 * last is the Unix time in seconds at which the bucket is full again.
 */
export function createHeaderWriter(rate: Rate): (ctx: Exchange, tokens: number) => void {
  const limit = String(rate.perSecond)
  // Many requests share the second in which their bucket is full, so its text is cached.
  let second = 0
  let reset = '0'
  return (ctx, tokens) => {
    const remaining = String(Math.max(0, Math.floor(tokens)))
    const full = nowSecs(msUntilFull(rate, tokens))
    if (full !== second) {
      second = full
      reset = String(full)
    }
    const headers = ctx.replyHeaders
    if (headers === null) {
      ctx.replyHeaders = { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset }
      return
    }
    headers['x-ratelimit-limit'] = limit
    headers['x-ratelimit-remaining'] = remaining
    headers['x-ratelimit-reset'] = reset
  }
}

export function tooMany(ctx: Exchange, rate: Rate, tokens: number): SvcError {
  const waitMs = ((1 - tokens) / rate.perSecond) * 1000
  return overLimit(ctx, 'Too many requests.', { limit: rate.perSecond, waitMs, resetMs: msUntilFull(rate, tokens) })
}

export function tooManyLogins(ctx: Exchange, max: number, windowMs: number): SvcError {
  return overLimit(ctx, 'Too many attempts.', { limit: max, waitMs: windowMs })
}

export function lockedOut(ctx: Exchange, lockedMs: number): SvcError {
  return overLimit(ctx, 'Too many failed attempts to log in.', { limit: 0, waitMs: lockedMs })
}
