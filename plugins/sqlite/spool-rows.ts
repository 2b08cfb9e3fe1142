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
/** Delay before the reader checks again, after it has caught up with the writer. */
const POLL_MS = 5

/**
 * Reads the rows of a query in batches through a temporary file, so that a slow consumer does not block the only
 * connection. An abort, or the end of the iteration, stops writing the file.
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
  /** Removes the file, which ends the writing. Processes that have it open can still use it. */
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
    // On systems that cannot remove an open file, it is removed once the process has finished with it.
    connection.onQuiet(remove)
  }
}

/** The task that writes the file. It ends by itself, with its request, or when the consumer stops reading. */
class Writing implements Cancellable {
  readonly #cancel: Cancellable | null
  readonly #listeners = new Set<AbortListener>()
  readonly #unwatch: () => void
  readonly #remove: () => void
  #left = false
  isDone = false
  failure: unknown = null
  /** Resolves when the writing has ended or failed. Never rejects. */
  ended: Promise<void> = Promise.resolve()

  /** @param remove called when the consumer stops reading */
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

/** Reads lines. `readline` also ends lines at U+2028, which JSON may contain unescaped. */
async function* linesOf(file: FileHandle, work: Writing): AsyncGenerator<readonly string[]> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let position = 0
  for (;;) {
    // Read before the file, so that everything written by then is read below.
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
