import { type FileHandle, open, stat } from 'node:fs/promises'
import type { AuditEvent } from './audit-event.ts'
import type { Sink } from './event-queue.ts'

/** Lines go together as far as a pipe takes them whole. */
const BATCH = 64
const LINE_FEED = 10

/** One line: what stands in it cannot end it, because JSON writes a line break otherwise. */
const linesOf = (events: readonly AuditEvent[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('')

/** Adds to a stream, which is not ours to end: stdout. */
export function streamSink(stream: NodeJS.WritableStream): Sink {
  // Whoever reads it may be gone: that fails what is written, not the process.
  const gone = (): void => {}
  stream.on('error', gone)
  return {
    batch: BATCH,
    write: (events) =>
      new Promise((resolve, reject) => {
        stream.write(linesOf(events), (error) => (error === null || error === undefined ? resolve() : reject(error)))
      }),
    async close() {
      stream.off('error', gone)
    },
  }
}

/** Was whoever wrote here killed within a line, or was there no space left? What nobody may read is taken for torn: an empty line does no harm. */
async function isTorn(path: string, file: FileHandle): Promise<boolean> {
  const about = await file.stat()
  if (!about.isFile() || about.size === 0) return false
  const reader = await open(path, 'r').catch(() => null)
  if (reader === null) return true
  try {
    const { bytesRead, buffer } = await reader.read(Buffer.alloc(1), 0, 1, about.size - 1)
    return bytesRead === 1 && buffer[0] !== LINE_FEED
  } finally {
    await reader.close()
  }
}

/**
 * Adds to a file, which nobody else may read. It is opened anew when writing has failed, and when it was moved away under us.
 * @throws whatever keeps it from being opened
 */
export async function fileSink(path: string): Promise<Sink> {
  async function openFile(): Promise<FileHandle> {
    const file = await open(path, 'a', 0o600)
    try {
      if (await isTorn(path, file)) await file.appendFile('\n')
      return file
    } catch (error) {
      await file.close().catch(() => {})
      throw error
    }
  }
  let handle: FileHandle | null = await openFile()

  async function close(): Promise<void> {
    const closing = handle
    handle = null
    await closing?.close()
  }

  async function isMoved(file: FileHandle): Promise<boolean> {
    const [own, there] = await Promise.all([file.stat(), stat(path).catch(() => null)])
    return there === null || there.ino !== own.ino || there.dev !== own.dev
  }

  return {
    batch: BATCH,
    async write(events) {
      try {
        if (handle !== null && (await isMoved(handle))) await close()
        handle ??= await openFile()
        await handle.appendFile(linesOf(events))
      } catch (error) {
        await close().catch(() => {})
        throw error
      }
    },
    close,
  }
}
