import { abortedError, firstBatchSize, nextBatchSize, type StreamOptions } from '../../core/doors/driver.ts'
import type { Row } from '../../core/doors/plugin.ts'
import type { Connection } from './connection.ts'
import type { PositionalSql } from './placeholders.ts'
import { readFailure } from './read-error.ts'

/**
 * Reads the rows of a query in batches. While the consumer handles a batch, the driver reads at most one more from the
 * socket, so that the server waits for a slow consumer. An abort, or the end of the iteration, kills the statement.
 * @param connection a connection in the state for the statement, which the caller gives back
 */
export async function* streamRows(
  connection: Connection,
  sql: PositionalSql,
  values: readonly (string | null)[],
  { batchSize, cancel }: StreamOptions,
): AsyncGenerator<readonly Row[]> {
  const rows = new RowQueue(connection, batchSize)
  const run = connection.run(sql, values, { cancel, keep: false, sink: rows }).then(
    () => rows.finish(null),
    (error: unknown) => rows.finish(readFailure(error)),
  )
  try {
    for (;;) {
      const batch = await rows.take()
      if (batch === null) break
      if (cancel?.aborted === true) throw abortedError(cancel)
      yield batch
    }
    await run
  } finally {
    connection.abandon(abortedError(cancel))
    await run
  }
}

/** The rows that have arrived, cut in batches. */
class RowQueue {
  readonly #connection: Connection
  readonly #most: number
  #size: number
  #batch: Row[] = []
  #full: Row[][] = []
  #failure: unknown = null
  #isDone = false
  #wake: (() => void) | null = null

  constructor(connection: Connection, most: number) {
    this.#connection = connection
    this.#most = most
    this.#size = firstBatchSize(most)
  }

  row(row: Row): void {
    this.#batch.push(row)
    if (this.#batch.length < this.#size) return
    this.#size = nextBatchSize(this.#most, this.#batch)
    this.#full.push(this.#batch)
    this.#batch = []
    this.#connection.raw.pause()
    this.#wake?.()
  }

  finish(failure: unknown): void {
    this.#isDone = true
    this.#failure = failure
    this.#wake?.()
  }

  /** @returns `null` after the last batch @throws the error of the statement, after the batches before it */
  async take(): Promise<readonly Row[] | null> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure
      const batch = this.#full.shift()
      if (batch !== undefined) return batch
      if (this.#isDone) {
        const rest = this.#batch
        this.#batch = []
        return rest.length === 0 ? null : rest
      }
      const arrived = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#connection.raw.resume()
      await arrived
    }
  }
}
