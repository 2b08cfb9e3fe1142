import type { LentText } from '../base/util/lent-text.ts'
import type { NotedText } from '../base/util/noted-text.ts'
import type { Access } from './access.ts'
import type { BindExchange } from './slot.ts'
import type { LentRow, Parameter, Statement } from './statement.ts'

/** A list without a `limit` argument: the error text of the database when the list is longer than `max_rows`. */
export interface ReadGuard {
  /** Response keys down to the list, without indexes. */
  readonly path: readonly string[]
}

/**
 * Returns the parameters of one request.
 * @param keys the keys of rows that the engine itself reads (`BindInput.keys`)
 * @param access the decision of `authorize` for the operation (`BindInput.access`)
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR (values), UNAUTHENTICATED, FORBIDDEN (`inject`, `row_filter`)
 */
export type Bind = (
  variables: Readonly<Record<string, unknown>>,
  exchange: BindExchange,
  keys?: readonly string[],
  access?: Access,
) => readonly Parameter[]

/** A statement of a read, with the checks that its result needs. */
export interface FinishedRead {
  readonly statement: Statement
  readonly bind: Bind
  /**
   * Substrings of the result text that indicate a null in a non-null position. If the text contains one, parse and
   * check it.
   */
  readonly nullScan: readonly string[]
  /** The text contains values whose types the catalog does not prove. Check each value before it is sent. */
  readonly verify: boolean
  /** Lists that `svc.max_rows` limits. Errors of the database identify a list by its index. */
  readonly guards: readonly ReadGuard[]
  /** Approximate memory of the statement in bytes. */
  readonly bytes: number
}

/** A read whose JSON this process writes, with the same result as the statement of its {@link PreparedRead}. */
export interface PackedRead extends FinishedRead {
  /**
   * Writes the JSON of a row.
   * @returns lent bytes for a long text; `null` when the row has an unexpected form, so that the other statement has to run
   */
  readonly write: (row: LentRow) => string | NotedText | LentText | null
  /** Number of requests that use the fallback statement after `write` has returned `null`. */
  rest: number
}

/** A read, written for all requests of one shape. */
export interface PreparedRead extends Omit<FinishedRead, 'statement'> {
  /**
   * A statement with one row and one text column: the JSON of the object with all roots, in response order, or of the value
   * of a single root. `null` when the read needs no database.
   */
  readonly statement: Statement | null
  /** The JSON text of the result, when no statement is needed; otherwise `null`. */
  readonly constant: string | null
  /** The same read with JSON written by this process, which is faster; `null` when that is not possible. */
  readonly packed: PackedRead | null
}
