import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Cancellable } from '../../../contract/cancellable.ts'
import type { Row } from '../../../contract/statement.ts'

export interface StreamParts<T> {
  readonly key: string
  readonly source: AsyncIterator<readonly Row[]>
  /** The first batch of rows, which is read before the response starts, so that an early failure has an HTTP status. */
  readonly first: IteratorResult<readonly Row[]>
  readonly exchange: Cancellable
  /** Milliseconds that the stream waits until its reader takes the next batch; 0: no limit. */
  readonly idleMs: number
  /**
   * Checks and converts a batch of rows.
   * @param index index of the batch's first row in the stream
   * @param errors the function adds the errors of fields that became null
   * @throws an error that ends the stream
   */
  readonly convert: (rows: readonly Row[], index: number, errors: SvcError[]) => readonly T[]
  /** Converts an error of the database driver to one that clients may see. */
  readonly failureOf: (error: unknown) => SvcError
}

/**
 * A stream of rows from a database cursor, for one reader. The cursor is closed at the end of the rows, after an error,
 * at the end of the exchange, and when the reader ends the iteration or takes no further batches.
 */
export class OpenStream<T> implements AsyncIterable<readonly T[]> {
  readonly key: string
  readonly errors: SvcError[] = []
  count = 0
  readonly #parts: StreamParts<T>
  readonly #unwatch: () => void
  readonly #listeners: (() => void)[] = []
  #first: IteratorResult<readonly Row[]> | null
  #isTaken = false
  #timer: NodeJS.Timeout | undefined
  /** Error that ended the stream early. The next request for a batch throws it. */
  #failure: SvcError | null = null
  #closing: Promise<void> | null = null
  #isClosed = false

  constructor(parts: StreamParts<T>) {
    this.#parts = parts
    this.key = parts.key
    this.#first = parts.first
    this.#unwatch = parts.exchange.onAbort(() => this.#fail(abortedError(parts.exchange)))
    this.#wait()
  }

  [Symbol.asyncIterator](): AsyncIterator<readonly T[]> {
    if (this.#isTaken) throw new Error('A stream is read once: it has been taken before.')
    this.#isTaken = true
    return {
      next: () => this.#next(),
      return: async () => {
        await this.close()
        return { done: true, value: undefined }
      },
    }
  }

  async #next(): Promise<IteratorResult<readonly T[]>> {
    clearTimeout(this.#timer)
    try {
      if (this.#closing !== null) return this.#end()
      const given = this.#first ?? (await this.#parts.source.next())
      this.#first = null
      // The stream was aborted or closed in the meantime.
      if (this.#closing !== null) return this.#end()
      if (given.done === true) {
        await this.close()
        return this.#end()
      }
      const value = this.#parts.convert(given.value, this.count, this.errors)
      this.count += given.value.length
      this.#wait()
      return { done: false, value }
    } catch (error) {
      this.#failure ??= this.#parts.failureOf(error)
      await this.close()
      throw this.#failure
    }
  }

  #end(): IteratorResult<readonly T[]> {
    if (this.#failure !== null) throw this.#failure
    return { done: true, value: undefined }
  }

  /** Starts the timer within which the next batch must be taken. */
  #wait(): void {
    const { idleMs } = this.#parts
    if (idleMs === 0) return
    this.#timer = setTimeout(() => {
      this.#fail(new SvcError('TIMEOUT', `The client did not take the next rows of "${this.key}" within ${idleMs} ms.`))
    }, idleMs)
  }

  #fail(failure: SvcError): void {
    this.#failure ??= failure
    void this.close()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#unwatch()
    this.#first = null
    try {
      await this.#parts.source.return?.()
    } catch {
      // Errors of closing a cursor without a reader are ignored.
    } finally {
      this.#isClosed = true
      for (const listener of this.#listeners) listener()
    }
  }

  onClose(listener: () => void): void {
    if (this.#isClosed) listener()
    else this.#listeners.push(listener)
  }
}

function abortedError({ abortReason }: Cancellable): SvcError {
  return abortReason === 'client'
    ? new SvcError('TIMEOUT', 'The client went away before the stream was done.', { details: { abortedBy: 'client' } })
    : new SvcError('TIMEOUT', 'The request outlived its deadline before its stream was done.')
}
