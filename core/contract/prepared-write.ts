import type { MutationRoot, ObjectSelection } from './operation.ts'
import type { BindInput } from './slot.ts'
import type { Parameter, Row, Rows, Statement } from './statement.ts'

/**
 * How the statement of a write runs:
 * - `single`: alone, without an explicit transaction. It fails, and so writes nothing, if the result lacks selected
 *   fields
 * - `transaction`: as the first statement of a transaction. The result reports missing fields, which are then read
 */
export type WriteMode = 'single' | 'transaction'

/**
 * Name of a column in the result of a write's statement. The database function and the {@link WriteMode} decide which
 * columns are present.
 */
export type WriteColumn =
  | 'status'
  | 'message'
  | 'entity_id'
  | 'entity_type'
  /** JSON text of the selected data; SQL NULL = no row. */
  | 'data'
  /** For lists in one document: `item` for an item, else the kind of JSON that was returned instead of the list; NULL = none. */
  | 'item'
  | 'entity'
  | 'updated_fields'
  | 'cascade'
  | 'metadata'
  | 'code'
  | 'field'
  | 'error_class'
  | 'http_status'
  | 'detail'
  /** JSON array of booleans, per target: does the entity lack something? */
  | 'lacks'
  /** JSON text of the row before the call, when the plan requests it and the dialect can read it in the same statement. */
  | 'before'

/**
 * A fault that the statement of a write detects in its own result. The statement then raises an error whose text names
 * the fault, and the database rolls the write back:
 * - `entity-incomplete`: the written object lacks selected fields. In a transaction they can be read from its view or
 *   table
 * - `unknown-status`: the status is not one of docs/guides/mutations.md#status
 * - `unknown-type`: the object has a type that the mutation cannot return
 * - `nothing-found`: the function returned no row, but the mutation must return an object
 */
export type WriteFault = 'entity-incomplete' | 'unknown-status' | 'unknown-type' | 'nothing-found'

/** A fault that a write's statement raised, with its details, parsed from the text of the database error. */
export interface FoundFault {
  readonly fault: WriteFault
  readonly detail: string
}

/**
 * A field of a mutation's result that holds a written object. Selected fields that the function did not return are read
 * from the view or table of its type.
 */
export interface WriteTarget {
  /** Response key of the written object in the payload type; `null`: the mutation returns the object itself. */
  readonly at: string | null
  /** Selection for each object type that the object may have, by type name. */
  readonly possible: ReadonlyMap<string, ObjectSelection>
  /**
   * `true`: row rules apply to the type. The written row is read again under them, and not returned if they hide it.
   */
  readonly ruled: boolean
}

export interface BoundWrite {
  readonly statement: Statement
  readonly parameters: readonly Parameter[]
  /** Index of each column in a row of the result. */
  readonly columns: ReadonlyMap<WriteColumn, number>
}

/** The SQL of one root field of a mutation, for all requests that differ only in values. */
export interface PreparedWrite {
  readonly root: MutationRoot
  /**
   * Form of the database function's result. `documents`: JSON objects. `ids`: ids, by which the objects are read.
   * `void`: returned rows are ignored.
   */
  readonly kind: 'documents' | 'ids' | 'void'
  readonly list: boolean
  readonly targets: readonly WriteTarget[]
  /** `true`: a second statement always reads the written objects, so the write needs an explicit transaction. */
  readonly readsAgain: boolean
  /**
   * `true`: if the function returns no row and the type of the mutation is non-null, the mutation fails, because
   * nothing was found.
   */
  readonly rowsMatter: boolean
  /** Selections on the types of the result union that represent errors. */
  readonly errorMembers: readonly ObjectSelection[]
  /** Response keys of the JSON texts about further changes (`cascade`), whose keys are converted to camelCase. */
  readonly cascadeKeys: readonly string[]
  /**
   * `true`: the single statement also returns the rows before the write and adds the rows that plugins insert (`before`
   * and `inserts` of the plan). Absent: further statements of a transaction do so.
   */
  readonly contributes?: true
  /**
   * Computes the parameters of the statement for one request.
   * @throws SvcError UNAUTHENTICATED, FORBIDDEN: a claim for `inject` is missing; BAD_USER_INPUT: an argument is
   * invalid
   */
  bind(input: BindInput, mode: WriteMode): BoundWrite
  /**
   * Converts rows with the database function's own columns to rows with the columns of {@link bind}, for databases
   * whose SQL cannot do so. Absent: the statement returns the latter.
   * @throws ResultFault, SvcError for an invalid result
   */
  readonly resultRows?: (result: Rows) => readonly Row[]
}

/**
 * Called when a prepared write adds SQL text for a further combination of parameters or drops one, with the change of
 * its memory in bytes.
 */
export type OnWritten = (bytes: number) => void
