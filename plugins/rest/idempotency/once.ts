import { createHash } from 'node:crypto'
import { ExactNumber, type WriteOnce } from '../../../core/doors/front.ts'
import { type HttpExchange, type Reply, SvcError, writeJson } from '../../../core/doors/plugin.ts'
import { badRequest } from '../request/refusals.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import type { AnswerStore } from './memory-answers.ts'
import type { WriteKeys } from './write-keys.ts'

/**
 * Does what a request asks for, unless one with the same `Idempotency-Key` did: then it has the answer of that one.
 * @param body as it was read
 * @param work does it, under a key in the database where one is given, and says when it begins to: what was refused before is the
 * same again, and takes no place of others
 * @param guard throws where the caller may not do it any more: then it is not told what came of it, either
 * @throws SvcError BAD_REQUEST (the key is no UUID), IDEMPOTENCY_CONFLICT (it came with another request), CONFLICT (the first is
 * under way), NOT_IMPLEMENTED (the database has no table for keys), SERVICE_UNAVAILABLE (the store, the database); and what `work`
 * throws
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
  /** Decides what is not known here: the key is committed with the write. */
  readonly keys: Pick<WriteKeys, 'ready' | 'once'>
  /** So long an answer is kept. */
  readonly ttlMs: number
  /** Bytes of an answer that are kept. */
  readonly maxAnswerBytes: number
  /** So long a request may be under way. */
  readonly longestMs: number
  /** Who asks, as far as answers depend on it: plain data. */
  readonly callerOf: (ctx: HttpExchange, route: RestRoute) => unknown
  /** Where a caller who has no name comes from. */
  readonly addressOf: (ctx: HttpExchange) => string
  /** An error as it is answered. */
  readonly render: (ctx: HttpExchange, error: unknown, route: RestRoute) => Reply
}

interface Place {
  readonly key: string
  /** Whose share of the room it takes. */
  readonly caller: string
}

const UUID = /^"?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"?$/i
/** These are about the caller and the moment, and nothing was written: the same request may be answered otherwise. */
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
    // What became of a write is not known here, and the database knows.
    const isOpen = known === null || (known.state === 'unknown' && known.print === print)
    if (isOpen) return doAndKeep(ctx, route, place, print, work)
    await guard()
    return answerOf(known, print)
  }

  /** @returns `null`: this one is the first */
  async function begin({ key, caller }: Place, print: string): Promise<KeptAnswer | null> {
    for (;;) {
      if (await store.claim(key, caller, textOf({ print, state: 'running' }), longestMs)) return null
      const known = await store.get(key)
      // It may end between the two calls.
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
      // The request that took the key before has its answer under it.
      if (taken === 'other') hasBegun = false
      if (isUnknown(error)) {
        await keep(place, { print, state: 'unknown' })
        return reply
      }
      if (!isCommitted(error) && (!hasBegun || reply.status >= 500 || PASSING.has(reply.status))) {
        // Where the store is gone the place becomes free by itself.
        await store.delete(place.key).catch(() => {})
        return reply
      }
    }
    const kept = keptAnswer(print, reply, maxAnswerBytes)
    await keep(place, kept)
    return taken === 'done' ? replayed(kept) : reply
  }

  /** What was written was written: a store that is gone by now, of which it tells itself, makes it no failure. */
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

/** That the route writes to; `undefined`: the default one. */
function databaseOf({ operation }: RestRoute): string | undefined {
  return operation.kind === 'mutation' ? operation.function.database : undefined
}

function isUnknown(error: unknown): boolean {
  return error instanceof SvcError && error.details?.outcome === 'unknown'
}

/** It was written, and reading failed behind that: once more would be twice. */
function isCommitted(error: unknown): boolean {
  return error instanceof SvcError && error.details?.outcome === 'committed'
}

function textOf(answer: KeptAnswer): string {
  return JSON.stringify(answer)
}

function digest(value: unknown): string {
  return createHash('sha256').update(canonicalText(value)).digest('base64url')
}

/** A value of JSON may have 500 levels, and stands in a row of a list. */
const DEEPEST = 600

/**
 * The JSON text of a value with the members of objects in one order: the same for bodies that say the same.
 * @throws SvcError BAD_REQUEST for what no body may be, before the stack ends
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

/** What is kept of a request with an `Idempotency-Key`. */
type KeptAnswer =
  | { readonly print: string; readonly state: 'running' | 'unknown' }
  | {
      readonly print: string
      readonly state: 'done'
      readonly status: number
      readonly headers: Reply['headers']
      readonly body: string | null
      /** The body was too long to be kept. */
      readonly isCut: boolean
    }

type DoneAnswer = Extract<KeptAnswer, { readonly state: 'done' }>

/** @param maxBytes of the body that are kept */
function keptAnswer(print: string, { status, headers, body }: Reply, maxBytes: number): DoneAnswer {
  const text = typeof body === 'string' ? body : null
  const isCut = body !== null && (text === null || Buffer.byteLength(text) > maxBytes)
  return { print, state: 'done', status, headers, body: isCut ? null : text, isCut }
}

/** The answer once more, marked as such; where it was too long without its body, as `return=minimal` is. */
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
