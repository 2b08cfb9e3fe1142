import type { SvcError } from '../errors/svc-error.ts'
import type { Row } from './statement.ts'

/**
 * The forms of an answer that is a stream (`Result.stream`), of a query whose only root is a list:
 * - `rows`: JSON texts, one per row, each what the item of the list would be
 * - `columns`: the values that are selected of a row, as texts of canonical types
 */
export type StreamForm = 'rows' | 'columns'

/**
 * Rows of one root as they come from a cursor: nothing is read ahead of whoever takes them. To be iterated once; a
 * `for await` that is left, by whatever way, closes it, and so does the end of its exchange.
 *
 * The iteration throws SvcError: TIMEOUT when the request ended, or nobody took a batch for `server.request_timeout_ms`;
 * SERVICE_UNAVAILABLE when the database went away; VALIDATION_ERROR for a row above `svc.max_response_bytes`; or the failure
 * of the root.
 */
interface StreamOf<T> extends AsyncIterable<readonly T[]> {
  readonly form: StreamForm
  /** Response key of the root. */
  readonly key: string
  /**
   * Places where a null stands because what is stored is no value of the field: with path, the index of the row behind
   * the response key. They come to be while the rows are taken; with more than a hundred the stream fails.
   */
  readonly errors: readonly SvcError[]
  /** Rows that were handed out. */
  readonly count: number
  /** Lets cursor and transaction go. Safe to call at any time, and more than once. */
  close(): Promise<void>
  /** Calls back once, when cursor and transaction are gone; at once where they are. */
  onClose(listener: () => void): void
}

/** JSON texts of rows. */
export interface RowStream extends StreamOf<string> {
  readonly form: 'rows'
}

/**
 * Values of rows. Their text is that of the JSON form, without quotes: `12.50`, `true`, `2026-01-31T12:00:00+00:00`. Lists,
 * objects and custom scalars that write themselves are JSON texts.
 */
export interface ColumnStream extends StreamOf<Row> {
  readonly form: 'columns'
  readonly columns: readonly ResultColumn[]
}

export interface ResultColumn {
  /** Response key. */
  readonly name: string
  /**
   * Canonical type, by PostgreSQL's name: `text`, `int4`, `int8`, `float8`, `numeric`, `bool`, `timestamptz`, `date`, `time`,
   * `uuid`, `json`.
   */
  readonly type: string
  readonly nullable: boolean
}

export type ResultStream = RowStream | ColumnStream
