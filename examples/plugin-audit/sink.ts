import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** Target of audit lines. */
export interface Sink {
  write(line: Readonly<Record<string, unknown>>): void
  /** Ends when everything is written. */
  close(): Promise<void>
}

/** @param target `stdout`, or the path of a file that lines are added to */
export function openSink(target: string): Sink {
  const stream = target === 'stdout' ? process.stdout : createWriteStream(target, { flags: 'a' })
  let failure: Error | null = null
  stream.on('error', (error) => {
    failure = error
  })
  return {
    write(line) {
      if (failure !== null) throw failure
      stream.write(`${JSON.stringify(line)}\n`)
    },
    async close() {
      if (target === 'stdout') return
      if (failure !== null) throw failure
      stream.end()
      await finished(stream)
    },
  }
}
