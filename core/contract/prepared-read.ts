import type { LentText } from '../base/util/lent-text.ts'
import type { NotedText } from '../base/util/noted-text.ts'
import type { Access } from './access.ts'
import type { BindExchange } from './slot.ts'
import type { LentRow, Parameter, Statement } from './statement.ts'

/** A list without a `limit` argument, which must not have more than `svc.max_rows` rows. */
export interface ReadGuard {
  /** Path of the list in the response: response keys from the root, without list indexes. */
  readonly path: readonly string[]
}

/**
 * Computes the values of a statement's parameters for one request.
 * @param variables variables of the operation
 * @param keys keys of rows that the engine itself reads (`BindInput.keys`)
 * @param access restrictions that `authorize` decided (`BindInput.access`)
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR (values), UNAUTHENTICATED, FORBIDDEN (`inject`, `row_filter`)
 */
export type Bind = (
  variables: Readonly<Record<string, unknown>>,
  exchange: BindExchange,
  keys?: readonly string[],
  access?: Access,
) => readonly Parameter[]

/** The statement of a read, with its parameters and the checks that its result needs. */
export interface FinishedRead {
  readonly statement: Statement
  readonly bind: Bind
  /**
   * Substrings such as `"name":null` that may mean a null in a non-null field. A result text with one of them is parsed
   * and checked; any other is sent unchanged.
   */
  readonly nullScan: readonly string[]
  /** `true`: the catalog does not prove the types of all values, so each value is checked before the text is sent. */
  readonly verify: boolean
  /**
   * Lists whose length `svc.max_rows` limits. The error that the SQL raises for a longer one has its index in this
   * list.
   */
  readonly guards: readonly ReadGuard[]
  /** Approximate memory in bytes that the cached statement occupies. */
  readonly bytes: number
}

/**
 * A read whose JSON this process writes from the values of the row. It belongs to a {@link PreparedRead} with the same
 * result, whose statement makes the database write the JSON. That statement runs instead if this one fails.
 */
export interface PackedRead extends FinishedRead {
  /**
   * Writes the JSON text of the result from the only row of the statement.
   * @returns a `LentText` for a long text; `null` if a value has an unexpected form, so that the fallback statement
   *   must run
   */
  readonly write: (row: LentRow) => string | NotedText | LentText | null
  /**
   * Number of requests for which this variant is not tried, because `write` has recently returned `null`. The engine
   * counts it down.
   */
  rest: number
}

/** The SQL of a query, for all requests that differ only in values, with the checks that its result needs. */
export interface PreparedRead extends Omit<FinishedRead, 'statement'> {
  /**
   * Statement that returns one row with one text: the JSON of the result, an object with all root fields or the value
   * of a single one. `null`: no statement is needed (see {@link constant}).
   */
  readonly statement: Statement | null
  /** The JSON text of the result, if it is known without the database, such as `__typename`; otherwise `null`. */
  readonly constant: string | null
  /**
   * A faster variant of the read, with the same result: the database sends values, and svc writes the JSON. `null`: not
   * possible for this read.
   */
  readonly packed: PackedRead | null
}
