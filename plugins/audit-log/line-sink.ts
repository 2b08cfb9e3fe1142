import { type FileHandle, open, stat } from 'node:fs/promises'
import type { AuditEvent } from './audit-event.ts'
import type { Sink } from './event-queue.ts'

/** Number of lines per write, small enough for an atomic write to a pipe. */
const BATCH = 64
const LINE_FEED = 10

/** Writes events as lines of JSON, which escapes line breaks. */
const linesOf = (events: readonly AuditEvent[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('')

/**
 * Creates the audit sink that writes events as lines of JSON to a stream such as stdout. It never closes the stream.
 */
export function streamSink(stream: NodeJS.WritableStream): Sink {
  // If the reader of the pipe has gone, writes fail, but the process continues.
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

/** Does the file end within a line, after a crash or on a full disk? An unreadable file counts as torn, because an empty line does no harm. */
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
 * Creates the audit sink that appends events as lines of JSON to a file, which only its owner can read. It opens the
 * file again after a failed write, and after log rotation moved the file.
 * @throws an error when the file cannot be opened
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
