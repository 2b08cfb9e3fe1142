import { createHash } from 'node:crypto'
import { ExactNumber, type WriteOnce } from '../../../core/doors/front.ts'
import { type HttpExchange, type Reply, SvcError, writeJson } from '../../../core/doors/plugin.ts'
import { badRequest } from '../request/refusals.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import type { AnswerStore } from './memory-answers.ts'
import type { WriteKeys } from './write-keys.ts'

/**
 * Runs a request, unless a request with the same `Idempotency-Key` has run: then it returns the stored reply.
 * @param body the parsed body
 * @param work runs the request, and calls `began` before it writes; a request that fails earlier is not stored
 * @param guard throws when the caller has lost access, so that the stored reply is not returned
 * @throws SvcError BAD_REQUEST when the key is not a UUID, IDEMPOTENCY_CONFLICT when it belongs to another request,
 * CONFLICT while the first request runs, NOT_IMPLEMENTED without a table for keys, SERVICE_UNAVAILABLE; errors of
 * `work`
 */
export type Once = (
  ctx: HttpExchange,
  route: RestRoute,
  body: unknown,
  work: Work,
  guard: () => Promise<void>,
) => Promise<Reply>

export type Work = (began: () => void, once?: WriteOnce) => Promise<Reply>

export interface OnceParts {
  readonly store: AnswerStore
  /**
   * Stores idempotency keys in the database, in the transaction of their write. They decide when `store` does not know
   * whether a request has written.
   */
  readonly keys: Pick<WriteKeys, 'ready' | 'once'>
  /** Time in milliseconds for which a reply is stored. */
  readonly ttlMs: number
  /** Maximum size of a stored reply in bytes. */
  readonly maxAnswerBytes: number
  /** Maximum duration of a request in milliseconds. */
  readonly longestMs: number
  /** Returns the data about the caller that replies depend on. A stored reply is only returned to the same caller. */
  readonly callerOf: (ctx: HttpExchange, route: RestRoute) => unknown
  /** Returns the network address by which an anonymous caller is recognized. */
  readonly addressOf: (ctx: HttpExchange) => string
  /** Renders an error as the reply to store. */
  readonly render: (ctx: HttpExchange, error: unknown, route: RestRoute) => Reply
}

interface Place {
  readonly key: string
  /** Caller whose share of the memory the entry counts against. */
  readonly caller: string
}

const UUID = /^"?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"?$/i
/** Statuses that are not stored: nothing was written, and a repeat can have another outcome. */
const PASSING: ReadonlySet<number> = new Set([401, 403, 408, 412, 429, 499])

export function createOnce(parts: OnceParts): Once {
  const { store, keys, ttlMs, maxAnswerBytes, longestMs, callerOf, addressOf, render } = parts
  return async (ctx, route, body, work, guard) => {
    const given = ctx.headers['idempotency-key']
    if (given === undefined) return work(() => {})
    const key = UUID.exec(String(given))?.[1]
    if (key === undefined) throw badRequest('Idempotency-Key has to be a UUID.', { parameter: 'Idempotency-Key' })
    const caller = callerOf(ctx, route)
    const place: Place = {
      key: digest([caller, ctx.method, ctx.pathname, key.toLowerCase()]),
      caller: digest([caller, ctx.auth === null ? addressOf(ctx) : null]),
    }
    const print = digest([
      ctx.queryString,
      String(ctx.headers.prefer ?? ''),
      String(ctx.headers['if-match'] ?? ''),
      body,
    ])
    await keys.ready(databaseOf(route))
    const known = await begin(place, print)
    // The store does not know the outcome of the write, but the database does.
    const isOpen = known === null || (known.state === 'unknown' && known.print === print)
    if (isOpen) return doAndKeep(ctx, route, place, print, work)
    await guard()
    return answerOf(known, print)
  }

  /** @returns `null` for the first request with the key */
  async function begin({ key, caller }: Place, print: string): Promise<KeptAnswer | null> {
    for (;;) {
      if (await store.claim(key, caller, textOf({ print, state: 'running' }), longestMs)) return null
      const known = await store.get(key)
      // The claim can expire between the two calls.
      if (known !== null) return JSON.parse(known) as KeptAnswer
    }
  }

  async function doAndKeep(
    ctx: HttpExchange,
    route: RestRoute,
    place: Place,
    print: string,
    work: Work,
  ): Promise<Reply> {
    let reply: Reply
    let hasBegun = false
    let taken: 'done' | 'other' | null = null
    const once = keys.once(place.key, print, (by) => {
      taken = by
    })
    try {
      reply = await work(() => {
        hasBegun = true
      }, once)
    } catch (error) {
      reply = render(ctx, error, route)
      // The key belongs to another request, whose reply stays stored.
      if (taken === 'other') hasBegun = false
      if (isUnknown(error)) {
        await keep(place, { print, state: 'unknown' })
        return reply
      }
      if (!isCommitted(error) && (!hasBegun || reply.status >= 500 || PASSING.has(reply.status))) {
        // If the store is down, the claim expires by itself.
        await store.delete(place.key).catch(() => {})
        return reply
      }
    }
    const kept = keptAnswer(print, reply, maxAnswerBytes)
    await keep(place, kept)
    return taken === 'done' ? replayed(kept) : reply
  }

  /** Stores the reply. The write is committed, so a failed store does not fail the request; the store logs its own outages. */
  function keep({ key, caller }: Place, answer: KeptAnswer): Promise<void> {
    return store.set(key, caller, textOf(answer), ttlMs).catch(() => {})
  }
}

/** @throws SvcError IDEMPOTENCY_CONFLICT, CONFLICT */
function answerOf(known: KeptAnswer, print: string): Reply {
  if (known.print !== print) {
    throw new SvcError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key came with another request before. Use a new one.')
  }
  if (known.state === 'done') return replayed(known)
  throw new SvcError('CONFLICT', 'The first request with this Idempotency-Key is under way.', { retryAfter: 1 })
}

/** Database that the route writes to; `undefined`: the default one. */
function databaseOf({ operation }: RestRoute): string | undefined {
  return operation.kind === 'mutation' ? operation.function.database : undefined
}

function isUnknown(error: unknown): boolean {
  return error instanceof SvcError && error.details?.outcome === 'unknown'
}

/** Did the request fail after its write was committed? Then a repeat would write twice. */
function isCommitted(error: unknown): boolean {
  return error instanceof SvcError && error.details?.outcome === 'committed'
}

function textOf(answer: KeptAnswer): string {
  return JSON.stringify(answer)
}

function digest(value: unknown): string {
  return createHash('sha256').update(canonicalText(value)).digest('base64url')
}

/** Maximum nesting of a body: 500 levels for a JSON value, and the levels around it. */
const DEEPEST = 600

/**
 * Writes a value as JSON with sorted members, so that equal bodies have equal texts.
 * @throws SvcError BAD_REQUEST for too many levels, before the stack overflows
 */
function canonicalText(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return writeJson(value) ?? ''
  if (depth > DEEPEST) throw badRequest(`The body is nested deeper than ${DEEPEST} levels.`)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, depth + 1)).join(',')}]`
  const members = value as Readonly<Record<string, unknown>>
  const texts = Object.keys(members)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(members[key], depth + 1)}`)
  return `{${texts.join(',')}}`
}

/** The stored state of a request with an `Idempotency-Key`. */
type KeptAnswer =
  | { readonly print: string; readonly state: 'running' | 'unknown' }
  | {
      readonly print: string
      readonly state: 'done'
      readonly status: number
      readonly headers: Reply['headers']
      readonly body: string | null
      /** Was the body too large to store? */
      readonly isCut: boolean
    }

type DoneAnswer = Extract<KeptAnswer, { readonly state: 'done' }>

/** @param maxBytes maximum size of a stored body */
function keptAnswer(print: string, { status, headers, body }: Reply, maxBytes: number): DoneAnswer {
  const text = typeof body === 'string' ? body : null
  const isCut = body !== null && (text === null || Buffer.byteLength(text) > maxBytes)
  return { print, state: 'done', status, headers, body: isCut ? null : text, isCut }
}

/** Returns the stored reply with headers that mark it as a repeat. A body that was too large to store is missing, as with `return=minimal`. */
function replayed({ status, headers, body, isCut }: DoneAnswer): Reply {
  const { 'content-type': type, ...others } = headers
  const marked: Record<string, string | readonly string[]> = {
    ...others,
    'idempotency-key': 'replayed=true',
    'idempotency-replayed': 'true',
  }
  if (isCut) marked['x-preference-fallback'] = 'representation-unavailable'
  else if (type !== undefined) marked['content-type'] = type
  return { status, headers: marked, body }
}
