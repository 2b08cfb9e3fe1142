import type { Exchange } from '../front/exchange.ts'
import type { Operation } from '../front/operation.ts'
import type { Reply } from '../front/reply.ts'
import type { Result } from '../front/result.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import type { Signals } from '../signals/signals.ts'
import { WrappedText } from '../util/lent-text.ts'
import { isPromise } from '../util/promise.ts'
import type { HttpContext } from './http-context.ts'
import type { Pipeline } from './pipeline.ts'

/** Names of operations are the client's words; longer ones are cut. */
const LONGEST_NAME = 128

/**
 * Signals every answered request (`server.access_log`). It wraps what boot puts together, so that a service without it
 * has nothing to skip.
 */
export interface AccessLog {
  /** Around everything. */
  pipeline(inner: Pipeline): Pipeline
  /** Around authorize and resolve: learns the operation's name. */
  run(
    inner: (ctx: Exchange, operation: Operation) => MaybePromise<Result>,
  ): (ctx: Exchange, operation: Operation) => MaybePromise<Result>
}

export function createAccessLog(signals: Signals): AccessLog {
  const operations = new WeakMap<object, string>()

  function tell(ctx: HttpContext, reply: Reply, started: number): Reply {
    signals.emit({
      type: 'request-answered',
      // Whoever asks for the id has it sent along: the line and the client's answer carry the same.
      requestId: ctx.id,
      method: ctx.method,
      path: ctx.pathname,
      status: reply.status,
      ms: Math.round((performance.now() - started) * 100) / 100,
      bytes: ctx.method === 'HEAD' ? 0 : sizeOf(reply.body),
      operation: operations.get(ctx) ?? null,
      aborted: ctx.abortReason,
    })
    return reply
  }

  return {
    pipeline: (inner) => (ctx) => {
      const started = performance.now()
      const reply = inner(ctx)
      return isPromise(reply) ? reply.then((settled) => tell(ctx, settled, started)) : tell(ctx, reply, started)
    },
    run: (inner) => (ctx, operation) => {
      const { name } = operation.template
      if (name !== null) operations.set(ctx, name.slice(0, LONGEST_NAME))
      return inner(ctx, operation)
    },
  }
}

/** @returns `null` for a stream, whose end nobody knows yet */
function sizeOf(body: Reply['body']): number | null {
  if (body === null) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (body instanceof WrappedText) return body.length
  return body instanceof Uint8Array ? body.byteLength : null
}
