import { type Exchange, SvcError } from '../../core/index.ts'
import type { Rate } from './limits.ts'

const secondsUntil = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
const nowSecs = (ms = 0): number => Math.ceil((Date.now() + ms) / 1000)

/** Milliseconds until a bucket is full. */
const msUntilFull = ({ perSecond, burst }: Rate, tokens: number): number => ((burst - tokens) / perSecond) * 1000

/** Behaviours 18.6: the rate, what is left, and when all of it is there again. */
export function createHeaderWriter(rate: Rate): (ctx: Exchange, tokens: number) => void {
  const limit = String(rate.perSecond)
  // The second in which a bucket is full is that of many requests.
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

function refusal(message: string, retryAfter: number, limit: number, reset: number): SvcError {
  return new SvcError('RATE_LIMITED', `${message} Try again in ${retryAfter} s.`, {
    retryAfter,
    details: { retryAfter, limit, reset },
  })
}

export function tooMany(rate: Rate, tokens: number): SvcError {
  const retryAfter = secondsUntil(((1 - tokens) / rate.perSecond) * 1000)
  return refusal('Too many requests.', retryAfter, rate.perSecond, nowSecs(msUntilFull(rate, tokens)))
}

export function tooManyLogins(max: number, windowMs: number): SvcError {
  return refusal('Too many attempts.', secondsUntil(windowMs), max, nowSecs(windowMs))
}

export function lockedOut(lockedMs: number): SvcError {
  return refusal('Too many failed attempts to log in.', secondsUntil(lockedMs), 0, nowSecs(lockedMs))
}
