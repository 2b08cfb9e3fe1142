import { finished, Readable } from 'node:stream'
import type { Exchange } from '../front/exchange.ts'
import type { GenerationLeases } from '../kernel/generation-leases.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import { isPromise } from '../util/promise.ts'

/**
 * Keeps the generation of an exchange while `inner` works for it: to its end, and where it answers with a stream, to
 * the end of that. Laid around only where something is disposed of.
 */
export function holdGeneration<E extends Exchange, A extends readonly unknown[], T extends object>(
  leases: GenerationLeases,
  inner: (ctx: E, ...rest: A) => MaybePromise<T>,
): (ctx: E, ...rest: A) => MaybePromise<T> {
  return (ctx, ...rest) => {
    const { generation } = ctx
    const release = (): void => leases.release(generation)
    const leave = (value: T): T => {
      const { body } = value as { readonly body?: unknown }
      if (body instanceof Readable) finished(body, release)
      else release()
      return value
    }
    leases.hold(generation)
    try {
      const out = inner(ctx, ...rest)
      if (!isPromise(out)) return leave(out)
      return out.then(leave, (error) => {
        release()
        throw error
      })
    } catch (error) {
      release()
      throw error
    }
  }
}
