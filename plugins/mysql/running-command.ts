import { type Cancellable, ResultTooLarge } from '../../core/doors/driver.ts'
import type { Row, Rows, SvcError } from '../../core/doors/plugin.ts'
import type { RawCommand } from './raw-connection.ts'
import { type ColumnReader, columnReader, type ResultField } from './value-text.ts'

/** Receives the rows of a stream as they arrive. */
export interface RowSink {
  row(row: Row, size: number): void
}

export interface RunOptions {
  readonly cancel: Cancellable | null
  /** Keep the statement prepared? */
  readonly keep: boolean
  /** `true`: the statement has no parameters, and is sent without preparing it. */
  readonly isPlain?: boolean
  /** Limit on the result in bytes; 0: none. */
  readonly maxBytes?: number
  /** Receives the rows as they arrive, instead of the result. */
  readonly sink?: RowSink
}

/** Collects the result of one command, until the server has sent all of it. */
export class RunningCommand {
  readonly #maxBytes: number
  readonly #sink: RowSink | null
  /** Settles with the result, or at once if the caller is gone. */
  readonly result: Promise<Rows>
  /** Resolves when the server has sent everything, or the connection is lost. */
  ended: Promise<void>
  /** Called when the result became too large. */
  onTooLarge: ((error: SvcError) => void) | null = null
  /** The server reported that the statement changed settings or variables of the session. */
  changedSession = false
  /** The server reported warnings at the end of the rows. */
  hasWarnings = false
  failure: Error | null = null
  isOver = false
  #resolve!: (rows: Rows) => void
  #reject!: (error: unknown) => void
  #end!: () => void
  #readers: readonly ColumnReader[] = []
  #rows: Row[] = []
  #bytes = 0
  #abandoned = false

  constructor({ maxBytes = 0, sink }: Pick<RunOptions, 'maxBytes' | 'sink'>) {
    this.#maxBytes = maxBytes === 0 ? Number.POSITIVE_INFINITY : maxBytes
    this.#sink = sink ?? null
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.ended = this.#begin()
  }

  #begin(): Promise<void> {
    return new Promise((resolve) => {
      this.#end = resolve
    })
  }

  attach(command: RawCommand): void {
    command
      .on('fields', (fields) => this.#startResult(fields as readonly ResultField[] | undefined))
      .on('result', (row) => this.#take(row))
      .on('error', (error) => {
        this.failure = error
      })
      .on('end', () => this.#end())
  }

  /** A statement may have several results. The last one with columns counts. */
  #startResult(fields: readonly ResultField[] | undefined): void {
    if (fields === undefined) return
    this.#readers = fields.map(columnReader)
    this.#rows = []
    this.#bytes = 0
  }

  #take(row: unknown): void {
    if (!Array.isArray(row)) {
      if ((row as { readonly stateChanges?: unknown } | null)?.stateChanges) this.changedSession = true
      return
    }
    if (this.#abandoned) return
    let size = 0
    const texts = row.map((value: unknown, index) => {
      if (value === null) return null
      const text = this.#readers[index]!.read(value)
      size += text.length
      return text
    })
    this.#bytes += size
    if (this.#bytes > this.#maxBytes) this.onTooLarge?.(new ResultTooLarge(this.#maxBytes))
    else if (this.#sink === null) this.#rows.push(texts)
    else this.#sink.row(texts, size)
  }

  /** Fails the caller at once; rows that still arrive are dropped. */
  abandon(error: SvcError): void {
    this.#abandoned = true
    this.#rows = []
    this.#reject(error)
  }

  /** A failure before the command was sent. */
  fail(error: Error): void {
    this.failure = error
    this.#end()
  }

  /** The command is sent a second time, because the server did not run it. */
  startAgain(): void {
    this.failure = null
    this.ended = this.#begin()
  }

  lose(error: Error): void {
    this.failure ??= error
    this.#end()
    this.settle()
  }

  settle(): void {
    this.isOver = true
    if (this.failure !== null) this.#reject(this.failure)
    else this.#resolve({ rows: this.#rows, columns: this.#readers.map(({ name, type }) => ({ name, type })) })
  }
}
