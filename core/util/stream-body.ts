import { Readable } from 'node:stream'

/** What a body is made of: batches, and a way to let go of what they come from. */
interface Batches<T> extends AsyncIterable<readonly T[]> {
  close(): Promise<void>
}

/**
 * A stream of rows as the body of a reply, with back-pressure from the client to the cursor: a batch is asked for when
 * there is room for it. A body that is destroyed, begun or not, closes the stream.
 * @param write text or bytes of a batch; nothing (`''`): it stands in a later one
 * @param end text or bytes behind the last one; `error` is what ended the stream, `null` = all rows were there. What it throws breaks
 * the connection, so that nobody takes half of the rows for all of them
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
