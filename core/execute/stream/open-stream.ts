import type { Cancellable } from '../../contract/cancellable.ts'
import type { Row } from '../../contract/statement.ts'
import { SvcError } from '../../errors/svc-error.ts'

export interface StreamParts<T> {
  readonly key: string
  readonly source: AsyncIterator<readonly Row[]>
  /** What the source gave first. */
  readonly first: IteratorResult<readonly Row[]>
  readonly exchange: Cancellable
  /** So long may a batch wait to be followed by the next; 0 = no bound. */
  readonly idleMs: number
  /** @param index of the first row @param errors takes those of places that become null @throws what ends the stream */
  readonly convert: (rows: readonly Row[], index: number, errors: SvcError[]) => readonly T[]
  /** The failure of a statement as the client may see it. */
  readonly failureOf: (error: unknown) => SvcError
}

/**
 * Rows from a cursor, for one taker. What ends it lets the cursor go: its end, whoever leaves the iteration, the end of
 * the exchange, a failure, and a taker that stops to take.
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
  /** Why it ended before its end: told to whoever takes the next batch. */
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
      // Aborted or closed in the meantime.
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

  /** For whoever takes the next batch. */
  #wait(): void {
    const { idleMs } = this.#parts
    if (idleMs === 0) return
    this.#timer = setTimeout(() => {
      this.#fail(new SvcError('TIMEOUT', `Nobody took the next rows of "${this.key}" within ${idleMs} ms.`))
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
      // What it could still say is about a cursor that nobody reads.
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
