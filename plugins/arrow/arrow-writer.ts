import type { Data, RecordBatchStreamWriter, Schema, Struct } from 'apache-arrow'
import { type Row, SvcError } from '../../core/doors/plugin.ts'
import type { ColumnForm } from './column-form.ts'
import type { Arrow } from './load-arrow.ts'
import type { ArrowOptions } from './options.ts'

type Bounds = Pick<ArrowOptions, 'max_batch_rows' | 'max_batch_bytes'>

const NONE = new Uint8Array(0)

/**
 * Converts database rows to the bytes of an Arrow IPC stream: the schema, record batches, the end-of-stream mark. The
 * first rows are returned at once, later rows when a batch is full.
 */
export class ArrowWriter {
  readonly #arrow: Arrow
  readonly #forms: readonly ColumnForm[]
  readonly #bounds: Bounds
  readonly #schema: Schema
  readonly #writer: RecordBatchStreamWriter
  readonly #chunks: Uint8Array[] = []
  #rows: Row[] = []
  #size = 0
  #hasBegun = false

  constructor(arrow: Arrow, forms: readonly ColumnForm[], bounds: Bounds) {
    this.#arrow = arrow
    this.#forms = forms
    this.#bounds = bounds
    this.#schema = new arrow.Schema(forms.map(({ field }) => field))
    this.#writer = new arrow.RecordBatchStreamWriter()
    const sink = new arrow.AsyncByteQueue()
    // The queue of the sink is asynchronous, but a batch is needed as soon as it is written.
    sink.write = (chunk) => void this.#chunks.push(chunk as Uint8Array)
    this.#writer.reset(sink, this.#schema)
  }

  /** Writes rows. @returns bytes to send now, possibly none @throws SvcError for a value that its column cannot represent */
  write(rows: readonly Row[]): Uint8Array {
    for (const row of rows) {
      this.#rows.push(row)
      for (const value of row) this.#size += value?.length ?? 0
      // A batch of the cursor can be larger than a batch of the stream.
      if (this.#rows.length >= this.#bounds.max_batch_rows || this.#size >= this.#bounds.max_batch_bytes)
        this.#writeBatch()
    }
    if (!this.#hasBegun) this.#writeBatch()
    return this.#take()
  }

  /** Returns the remaining rows and the end mark. @throws errors of `write` */
  end(): Uint8Array {
    this.#writeBatch()
    this.#writer.finish()
    return this.#take()
  }

  #writeBatch(): void {
    const rows = this.#rows
    if (rows.length === 0) return
    this.#hasBegun = true
    this.#rows = []
    this.#size = 0
    const { RecordBatch, makeData, Struct } = this.#arrow
    const children = this.#forms.map((form, column) => this.#columnOf(form, rows, column))
    const data = makeData({ type: new Struct(this.#schema.fields), length: rows.length, nullCount: 0, children })
    this.#writer.write(new RecordBatch(this.#schema, data as Data<Struct>))
  }

  #columnOf({ field, encode }: ColumnForm, rows: readonly Row[], column: number): Data {
    const values = rows.map((row) => row[column] ?? null)
    try {
      const { type } = field
      return this.#arrow.makeData({ type, length: values.length, ...encode(values) } as Parameters<
        Arrow['makeData']
      >[0])
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new SvcError(
        'INTERNAL_SERVER_ERROR',
        `The column "${field.name}" has a value that ${error.message}, so it does not fit ${field.type} of Arrow. Leave the column out of "columns", or give it as text in the view.`,
        { cause: error },
      )
    }
  }

  #take(): Uint8Array {
    if (this.#chunks.length === 0) return NONE
    return Buffer.concat(this.#chunks.splice(0))
  }
}
