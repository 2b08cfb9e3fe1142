import { WrappedText } from '../../base/util/lent-text.ts'
import { isPromise } from '../../base/util/promise.ts'
import type { HttpExchange } from '../../contract/http-exchange.ts'
import type { Observer } from '../../contract/observer.ts'
import type { Reply } from '../../contract/reply.ts'
import type { Signals } from '../../contract/signals.ts'
import { cacheUseOf } from './cache-use.ts'
import { countedStatus } from './counted-status.ts'

/** Maximum length of operation names and subjects, which come from clients and token issuers. Longer ones are truncated. */
const LONGEST_NAME = 128

/**
 * Creates the observer that emits the signal `request-answered` for each HTTP request, from which the access log is
 * written (`server.access_log`).
 */
export function createAccessLog(signals: Signals): Observer {
  const operations = new WeakMap<object, string>()

  function tell(ctx: HttpExchange, reply: Reply, started: number): void {
    signals.emit({
      type: 'request-answered',
      // Reading `ctx.id` also sends it in the reply, so that the log line and the reply carry the same id.
      requestId: ctx.id,
      method: ctx.method,
      path: ctx.pathname,
      status: countedStatus(ctx, reply.status),
      ms: Math.round((performance.now() - started) * 100) / 100,
      bytes: ctx.method === 'HEAD' ? 0 : sizeOf(reply.body),
      operation: operations.get(ctx) ?? null,
      userId: ctx.auth?.subject?.slice(0, LONGEST_NAME) ?? null,
      cacheHit: cacheUseOf(ctx),
      aborted: ctx.abortReason,
    })
  }

  return {
    exchange(ctx, next) {
      if (ctx.transport !== 'http') return
      const started = performance.now()
      const reply = next()
      if (isPromise(reply)) return reply.then((settled) => tell(ctx, settled, started))
      tell(ctx, reply, started)
    },
    operation(ctx, { template }) {
      if (template.name !== null) operations.set(ctx, template.name.slice(0, LONGEST_NAME))
    },
  }
}

/** @returns the size in bytes; `null` for a stream, whose size is not known yet */
function sizeOf(body: Reply['body']): number | null {
  if (body === null) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (body instanceof WrappedText) return body.length
  return body instanceof Uint8Array ? body.byteLength : null
}
