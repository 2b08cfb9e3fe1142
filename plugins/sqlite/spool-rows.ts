import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as delay } from 'node:timers/promises'
import type { AbortListener, Cancellable, StreamOptions } from '../../core/doors/driver.ts'
import type { Parameter, Row, Statement } from '../../core/doors/plugin.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { abortedError, watchAbort } from './driver-errors.ts'
import { toBound } from './parameters.ts'
import { sizeOf } from './stream-rows.ts'

const CHUNK_BYTES = 65_536
/** The reader has caught up with the writer: it looks again so soon. */
const POLL_MS = 5

/**
 * Rows of one query where there is one connection: a slow consumer would hold up everybody. All rows go into a file, as
 * fast as they come, and from there to the consumer, who begins with the first of them. An abort, or the end of the
 * iteration, stops the writing.
 */
export async function* streamFromSpool(
  pool: ConnectionPool,
  statement: Statement,
  parameters: readonly Parameter[],
  { batchSize, cancel, settings = [] }: StreamOptions,
): AsyncGenerator<readonly Row[]> {
  const bound = toBound(parameters)
  const to = join(tmpdir(), `svc-stream-${process.pid}-${randomUUID()}`)
  const connection = await pool.acquire(cancel)
  /** Ends the writing, and takes the file away: whoever has it open still has it. */
  const remove = (): void => void rm(to, { force: true }).catch(() => {})
  const work = new Writing(cancel, remove)
  let file: FileHandle | null = null
  try {
    file = await open(to, 'w+', 0o600).catch((error: unknown) => {
      pool.release(connection)
      throw error
    })
    const request = { op: 'spool', text: statement.text, parameters: bound, settings, to } as const
    work.begin(connection.request(request, work).finally(() => pool.release(connection)))
    const size = sizeOf(batchSize)
    let batch: Row[] = []
    for await (const lines of linesOf(file, work)) {
      for (const line of lines) {
        batch.push(JSON.parse(line))
        if (batch.length < size) continue
        if (cancel?.aborted === true) throw abortedError(cancel)
        yield batch
        batch = []
      }
    }
    if (batch.length > 0) yield batch
  } finally {
    work.leave()
    await file?.close()
    // Where a file that is open cannot be removed: the process may still be at work on it.
    connection.onQuiet(remove)
  }
}

/** The writing of the file: it ends by itself, with its request, or when nobody reads any more. */
class Writing implements Cancellable {
  readonly #cancel: Cancellable | null
  readonly #listeners = new Set<AbortListener>()
  readonly #unwatch: () => void
  readonly #remove: () => void
  #left = false
  isDone = false
  failure: unknown = null
  /** Settles when it is done or has failed. Never rejects. */
  ended: Promise<void> = Promise.resolve()

  /** @param remove called when nobody reads any more */
  constructor(cancel: Cancellable | null, remove: () => void) {
    this.#cancel = cancel
    this.#remove = remove
    this.#unwatch = watchAbort(cancel, () => this.#tell())
  }

  begin(writing: Promise<unknown>): void {
    this.ended = writing.then(
      () => {
        this.isDone = true
      },
      (error: unknown) => {
        this.failure = error
      },
    )
  }

  leave(): void {
    this.#unwatch()
    this.#left = true
    this.#tell()
  }

  #tell(): void {
    this.#remove()
    for (const listener of this.#listeners) listener()
  }

  get aborted(): boolean {
    return this.#left || this.#cancel?.aborted === true
  }

  get abortReason(): 'timeout' | 'client' | null {
    return this.#left ? 'client' : (this.#cancel?.abortReason ?? null)
  }

  onAbort(listener: AbortListener): () => void {
    this.#listeners.add(listener)
    return () => this.removeAbortListener(listener)
  }

  addAbortListener(listener: AbortListener): void {
    this.#listeners.add(listener)
  }

  removeAbortListener(listener: AbortListener): void {
    this.#listeners.delete(listener)
  }
}

/** Not `readline`: it ends lines at U+2028 too, which stands in JSON as it is. */
async function* linesOf(file: FileHandle, work: Writing): AsyncGenerator<readonly string[]> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let position = 0
  for (;;) {
    // Asked first: what was written by then is read below.
    const { isDone } = work
    if (work.failure !== null) throw work.failure
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position)
    if (bytesRead > 0) {
      position += bytesRead
      const lines = (rest + decoder.write(chunk.subarray(0, bytesRead))).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines
    } else if (isDone) return
    else await Promise.race([work.ended, delay(POLL_MS)])
  }
}
