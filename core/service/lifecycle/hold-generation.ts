import { finished, Readable } from 'node:stream'
import { isPromise } from '../../base/util/promise.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { GenerationLeases } from '../../contract/kernel.ts'
import type { Observer } from '../../contract/observer.ts'
import type { Result } from '../../contract/result.ts'
import type { MaybePromise } from '../../contract/stages.ts'

/**
 * Creates an observer that keeps the schema of an exchange in use until the exchange and its stream, if any, have
 * ended. After a reload, svc disposes of the previous schema only then. An operation that runs outside an exchange
 * keeps its schema in use itself.
 */
export function holdGenerations(leases: GenerationLeases): Observer {
  function hold({ generation }: Exchange, next: () => MaybePromise<object>): void {
    const release = (): void => leases.release(generation)
    const leave = (value: object): void => {
      const { body, stream } = value as { readonly body?: unknown } & Partial<Pick<Result, 'stream'>>
      if (body instanceof Readable) finished(body, release)
      else if (stream !== undefined) stream.onClose(release)
      else release()
    }
    leases.hold(generation)
    try {
      const out = next()
      if (isPromise(out)) out.then(leave, release)
      else leave(out)
    } catch {
      release()
    }
  }
  return { exchange: hold, operation: (ctx, _operation, next) => hold(ctx, next) }
}
