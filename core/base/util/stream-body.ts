import { Readable } from 'node:stream'

/** Batches of rows, and a function that closes their source. */
interface Batches<T> extends AsyncIterable<readonly T[]> {
  close(): Promise<void>
}

/**
 * Makes the body of an HTTP response from a stream of rows, with back-pressure: the next batch is fetched when the
 * client has read enough. Destroying the body, before or after its first batch, closes the stream of rows.
 * @param write returns the text or bytes of a batch; `''` when a later call returns them
 * @param end returns the text or bytes after the last batch. `error` is the error that ended the stream, or `null`
 *   after the last row. If `end` throws, the connection is broken, so that the client sees that rows are missing
 */
export function streamBody<T>(
  stream: Batches<T>,
  write: (batch: readonly T[]) => string | Uint8Array,
  end: (error: unknown) => string | Uint8Array,
): Readable {
  let batches: AsyncIterator<readonly T[]> | null = null
  async function next(): Promise<{ readonly text: string | Uint8Array; readonly isLast: boolean }> {
    try {
      batches ??= stream[Symbol.asyncIterator]()
      for (;;) {
        const { value, done } = await batches.next()
        if (done === true) break
        const text = write(value)
        if (text.length > 0) return { text, isLast: false }
      }
    } catch (error) {
      return { text: end(error), isLast: true }
    }
    return { text: end(null), isLast: true }
  }
  return new Readable({
    read() {
      next().then(
        ({ text, isLast }) => {
          if (this.destroyed) return
          if (text.length > 0) this.push(text, 'utf8')
          if (isLast) this.push(null)
        },
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      stream.close().then(() => done(error), done)
    },
  })
}
