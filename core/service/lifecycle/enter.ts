import { finished, Readable } from 'node:stream'
import { isPromise } from '../../base/util/promise.ts'
import { settlesWithin } from '../../base/util/settles-within.ts'
import type { Generation } from '../../contract/generation.ts'
import type { Enter } from '../../contract/pipeline.ts'
import type { Reply } from '../../contract/reply.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import { OVERDUE_MS, overdueError } from './overdue.ts'
import { PlainExchange } from './plain-exchange.ts'

export interface EntranceParts {
  readonly generation: () => Generation
  /** Runs `onRequest` hooks, `authenticate` hooks and the handler of an exchange. It never throws or rejects. */
  readonly pipeline: (ctx: PlainExchange) => MaybePromise<Reply>
  /** Creates the reply to an exchange whose hook or handler exceeded the time limit. */
  readonly failOverdue: (ctx: PlainExchange, error: unknown) => Reply
  /** Time limit of an exchange in milliseconds, unless the plugin that serves the protocol passes another; 0: none. */
  readonly deadlineMs: number
}

/**
 * Returns the reply, or an error when work does not end after the deadline.
 * @param reply must never reject. A reply after the error is dropped
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

/** Runs exchanges that are not HTTP requests, such as messages of a socket (`scope.pipeline.enter`). */
export interface Entrance {
  readonly enter: Enter
  /** Waits until the running exchanges end, and aborts the rest after the timeout. */
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
    // The exchange runs until the last byte of its body, as over HTTP.
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
