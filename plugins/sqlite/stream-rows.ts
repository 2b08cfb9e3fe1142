import type { StreamOptions } from '../../core/doors/driver.ts'
import type { Parameter, Row, Statement } from '../../core/doors/plugin.ts'
import type { Answer } from './child/protocol.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { abortedError, watchAbort } from './driver-errors.ts'
import { toBound } from './parameters.ts'

/**
 * Reads the rows of a query in batches from a cursor on a reserved connection. While the consumer handles a batch, the
 * next one is read. An abort, or the end of the iteration, closes the cursor.
 */
export async function* streamFromCursor(
  pool: ConnectionPool,
  statement: Statement,
  parameters: readonly Parameter[],
  { batchSize, cancel, settings = [] }: StreamOptions,
): AsyncGenerator<readonly Row[]> {
  const bound = toBound(parameters)
  const connection = await pool.acquire(cancel)
  let left = false
  let unwatch = (): void => {}
  function leave(): void {
    if (left) return
    left = true
    unwatch()
    connection.onQuiet(() => {
      const give = (): void => pool.release(connection)
      if (connection.broken) give()
      else connection.request({ op: 'leave' }).then(give, () => connection.kill())
    })
  }
  /** Sends a request. The request itself handles an abort while it is in flight, and this listener between requests. */
  function ask(request: Parameters<typeof connection.request>[0]): Promise<Answer> {
    unwatch()
    const answer = connection.request(request, cancel)
    answer.then(
      () => {
        if (!left) unwatch = watchAbort(cancel, leave)
      },
      // The consumer may never await this batch, e.g. when a batch that is read ahead fails after an abort.
      leave,
    )
    return answer
  }
  try {
    let next = ask({ op: 'cursor', text: statement.text, parameters: bound, settings, batchSize: sizeOf(batchSize) })
    for (;;) {
      const { rows, done } = await next
      if (cancel?.aborted === true) throw abortedError(cancel)
      if (!done) next = ask({ op: 'fetch' })
      if (rows.length > 0) yield rows
      if (done) return
    }
  } finally {
    leave()
  }
}

export function sizeOf(batchSize: number): number {
  return Math.max(1, Math.trunc(batchSize))
}
