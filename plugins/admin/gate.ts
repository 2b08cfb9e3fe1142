import { createHash, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type HttpExchange, overLimit, SvcError } from '../../core/doors/plugin.ts'

const MINUTE_MS = 60_000
/** Limit on the number of clients whose failures are counted. */
const MOST_CLIENTS = 10_000

export type Refusal = 'missing' | 'invalid' | 'readonly' | 'locked_out'

export interface GateOptions {
  readonly token: string
  /** Token for endpoints that only read; `null`: only `token` is accepted. */
  readonly readonlyToken: string | null
  /** Number of wrong tokens per client address and minute. After it, all requests of this address are rejected. */
  readonly maxFailures: number
  /** Returns the client address of a request, by which wrong tokens are counted. */
  readonly clientOf: (ctx: HttpExchange) => string
  readonly refused: (ctx: HttpExchange, why: Refusal) => void
  /** Clock in milliseconds. Default: `Date.now`. */
  readonly now?: () => number
}

/**
 * Checks the admin token of a request.
 * @param writes `true` if the endpoint changes something, so that the read-only token is not sufficient
 * @throws SvcError UNAUTHENTICATED without a token; FORBIDDEN for a wrong or read-only token; RATE_LIMITED after too
 * many wrong tokens
 */
export type Gate = (ctx: HttpExchange, writes: boolean) => void

/**
 * Creates the check of admin tokens (docs/plugins/admin.md#options). It compares tokens in constant time and counts
 * wrong ones per client address.
 */
export function createGate(options: GateOptions): Gate {
  const { token, readonlyToken, maxFailures, clientOf, refused, now = Date.now } = options
  const full = digest(token)
  const readonly = readonlyToken === null ? full : digest(readonlyToken)
  const failures = new LRUCache<string, { readonly since: number; count: number }>({ max: MOST_CLIENTS })

  function failuresOf(client: string): { readonly since: number; count: number } {
    const known = failures.get(client)
    if (known !== undefined && now() - known.since < MINUTE_MS) return known
    const fresh = { since: now(), count: 0 }
    failures.set(client, fresh)
    return fresh
  }

  return (ctx, writes) => {
    const given = readBearer(ctx.headers.authorization)
    if (given === null) {
      refused(ctx, 'missing')
      throw new SvcError('UNAUTHENTICATED', 'The admin API needs "Authorization: Bearer <admin token>".')
    }
    const client = clientOf(ctx)
    const known = failures.get(client)
    if (known !== undefined && known.count >= maxFailures && now() - known.since < MINUTE_MS) {
      refused(ctx, 'locked_out')
      const waitMs = known.since + MINUTE_MS - now()
      throw overLimit(ctx, 'Too many wrong tokens came from this address.', { limit: maxFailures, waitMs })
    }
    const hash = digest(given)
    // Both hashes are always compared, so that the response time reveals nothing.
    const isFull = timingSafeEqual(hash, full)
    const isReadonly = timingSafeEqual(hash, readonly)
    if (isFull || (isReadonly && !writes)) return
    if (isReadonly) {
      refused(ctx, 'readonly')
      throw new SvcError('FORBIDDEN', 'This token only reads; what changes something needs server.admin.token.')
    }
    failuresOf(client).count++
    refused(ctx, 'invalid')
    throw new SvcError('FORBIDDEN', 'The admin token is not valid.')
  }
}

/** Reads a bearer token (RFC 6750, 2.1). @returns `null`: the header is absent or has another form */
function readBearer(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== 'string') return null
  return /^bearer +([^\s,]+) *$/i.exec(header)?.[1] ?? null
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
