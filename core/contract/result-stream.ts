import type { SvcError } from '../base/errors/svc-error.ts'
import type { Row } from './statement.ts'

/**
 * Form of the rows in a streamed result (`Result.stream`), for a query whose only root field is a list:
 * - `rows`: each row is a JSON text, equal to the item of the list
 * - `columns`: each row is a list of the selected values, as texts
 */
export type StreamForm = 'rows' | 'columns'

/**
 * Rows of a root field in batches from a database cursor. A batch is read when the consumer requests it. The stream can be iterated once;
 * leaving a `for await` loop in any way closes it, and so does the end of its exchange.
 *
 * The iteration throws SvcError: TIMEOUT when the exchange ended, or when no batch was taken for `server.request_timeout_ms`;
 * SERVICE_UNAVAILABLE when the database connection broke; VALIDATION_ERROR for a row above `svc.max_response_bytes`; or the error of the
 * root field.
 */
interface StreamOf<T> extends AsyncIterable<readonly T[]> {
  readonly form: StreamForm
  /** Response key of the root field. */
  readonly key: string
  /**
   * Errors of fields that are null because their stored value is invalid. Their path has the index of the row after the response key. The
   * list grows during the iteration; after more than a hundred errors the stream fails.
   */
  readonly errors: readonly SvcError[]
  /** Number of rows that were taken so far. */
  readonly count: number
  /** Closes cursor and transaction. It can be called at any time, and repeatedly. */
  close(): Promise<void>
  /** Calls the listener once cursor and transaction are closed, or at once if they are. */
  onClose(listener: () => void): void
}

/** A streamed result whose rows are JSON texts. */
export interface RowStream extends StreamOf<string> {
  readonly form: 'rows'
}

/**
 * A streamed result whose rows are lists of values, in the order of `columns`. A value is the text of its JSON form
 * without quotes: `12.50`, `true`, `2026-01-31T12:00:00+00:00`. Lists, objects, and custom scalars with `serialize` are
 * JSON texts.
 */
export interface ColumnStream extends StreamOf<Row> {
  readonly form: 'columns'
  readonly columns: readonly ResultColumn[]
}

export interface ResultColumn {
  /** Response key of the selected field. */
  readonly name: string
  /**
   * Type of the values, by PostgreSQL's name: `text`, `int4`, `int8`, `float8`, `numeric`, `bool`, `timestamptz`,
   * `date`, `time`, `uuid`, `json`.
   */
  readonly type: string
  readonly nullable: boolean
}

export type ResultStream = RowStream | ColumnStream
