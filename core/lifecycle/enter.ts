import { finished, Readable } from 'node:stream'
import type { Reply } from '../contract/reply.ts'
import type { Enter } from '../kernel/entrance.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import type { Generation } from '../schema/generation.ts'
import { isPromise } from '../util/promise.ts'
import { settlesWithin } from '../util/settles-within.ts'
import { OVERDUE_MS, overdueError } from './overdue.ts'
import { PlainExchange } from './plain-exchange.ts'

export interface EntranceParts {
  readonly generation: () => Generation
  /** onRequest → authenticate → handler; never throws and never rejects. */
  readonly pipeline: (ctx: PlainExchange) => MaybePromise<Reply>
  /** The answer to an exchange whose hook or handler hangs, in its own shape. */
  readonly failOverdue: (ctx: PlainExchange, error: unknown) => Reply
  /** For who sets none: milliseconds, 0 = none. */
  readonly deadlineMs: number
}

/**
 * The reply, or the error about a deadline that nothing listened to.
 * @param reply never rejects; one that comes after the error is dropped
 */
function withinTime(ctx: PlainExchange, reply: Promise<Reply>, fail: () => Reply): Promise<Reply> {
  return new Promise((resolve) => {
    let overdue: NodeJS.Timeout | undefined
    let isAnswered = false
    const settle = (settled: Reply): void => {
      clearTimeout(overdue)
      unwatch()
      if (isAnswered && settled.body instanceof Readable) settled.body.destroy()
      isAnswered = true
      resolve(settled)
    }
    const unwatch = ctx.onAbort(() => {
      if (ctx.abortReason === 'timeout') overdue = setTimeout(() => settle(fail()), OVERDUE_MS)
    })
    reply.then(settle)
  })
}

/** The way in for everything that is no HTTP request. */
export interface Entrance {
  readonly enter: Enter
  /** Waits for what is in flight, up to the deadline, and ends the rest. */
  drain(timeoutMs: number): Promise<void>
}

export function createEntrance({ generation, pipeline, failOverdue, deadlineMs }: EntranceParts): Entrance {
  const inFlight = new Set<PlainExchange>()
  let whenEmpty: (() => void) | null = null

  const enter: Enter = (arrival, handler) => {
    const ctx = new PlainExchange(generation(), arrival, handler)
    const { signal } = arrival
    const span = arrival.deadlineMs ?? deadlineMs
    const timer = span > 0 ? setTimeout(() => ctx.expire(), span) : undefined
    const leave = (): void => ctx.abort('client')
    inFlight.add(ctx)
    if (signal?.aborted === true) leave()
    else signal?.addEventListener('abort', leave)

    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
      inFlight.delete(ctx)
      if (inFlight.size === 0) whenEmpty?.()
    }
    // In flight to the last byte, as over HTTP.
    const answer = (reply: Reply): Reply => {
      const { body } = reply
      if (!(body instanceof Readable)) end()
      else {
        finished(body, end)
        ctx.onAbort(() => body.destroy())
      }
      return reply
    }
    const reply = pipeline(ctx)
    if (!isPromise(reply)) return answer(reply)
    if (span === 0) return reply.then(answer)
    return withinTime(ctx, reply, () => failOverdue(ctx, overdueError())).then(answer)
  }

  return {
    enter,
    async drain(timeoutMs) {
      if (inFlight.size === 0) return
      const empty = new Promise<void>((resolve) => {
        whenEmpty = resolve
      })
      if (await settlesWithin(empty, timeoutMs)) return
      for (const ctx of inFlight) ctx.abort('client')
    },
  }
}
