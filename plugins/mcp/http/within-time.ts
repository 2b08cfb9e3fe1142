import { type HttpExchange, type MaybePromise, SvcError } from '../../../core/doors/plugin.ts'

/** For a call whose time is up to end by itself: what it says then is what became of it. */
const LATE_MS = 1000

/**
 * What a streamed call answers. One that does not end when its time is up is not waited for.
 * @throws SvcError TIMEOUT; what the call throws
 */
export function withinTime<T>(ctx: HttpExchange, call: () => MaybePromise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined
    const end = ctx.onAbort(() => {
      if (ctx.abortReason !== 'timeout') return
      const error = new SvcError('TIMEOUT', 'The call outlived its deadline and did not end.')
      late = setTimeout(() => reject(error), LATE_MS)
    })
    const over = (): void => {
      end()
      clearTimeout(late)
    }
    Promise.resolve().then(call).finally(over).then(resolve, reject)
  })
}
