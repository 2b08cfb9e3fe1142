import type { MutationRoot, ObjectSelection } from './operation.ts'
import type { BindInput } from './slot.ts'
import type { Parameter, Row, Rows, Statement } from './statement.ts'

/**
 * - `single`: one statement on its own. It fails, and so writes nothing, when a part of the result would have to be read again.
 * - `transaction`: the first statement of a transaction; its result reports missing parts.
 */
export type WriteMode = 'single' | 'transaction'

/** Columns of a result row. The function and the mode decide which of them are present. */
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
 * Faults that the statement of a write detects in its own result. The statement then raises an error whose text names the fault, and
 * the database rolls the write back:
 * - `entity-incomplete`: the entity lacks selected fields. In a transaction they can be read from its source
 * - `unknown-status`: the status is not one of docs/guides/mutations.md#status
 * - `unknown-type`: the type of the entity is not possible for the result
 * - `nothing-found`: the function returned no row for a non-null result
 */
export type WriteFault = 'entity-incomplete' | 'unknown-status' | 'unknown-type' | 'nothing-found'

/** A fault parsed from the text of a database error. */
export interface FoundFault {
  readonly fault: WriteFault
  readonly detail: string
}

/** A position in the response that holds an entity. Missing fields of it can be read from the source of its type. */
export interface WriteTarget {
  /** Response key of the entity in the payload; `null`: the result itself is the entity. */
  readonly at: string | null
  /** Selection for each possible type, by type name. One entry when the type is known. */
  readonly possible: ReadonlyMap<string, ObjectSelection>
  /** Row rules apply to the type, so only a row that can be read again under them is returned. */
  readonly ruled: boolean
}

export interface BoundWrite {
  readonly statement: Statement
  readonly parameters: readonly Parameter[]
  /** Position of each column in a row. */
  readonly columns: ReadonlyMap<WriteColumn, number>
}

/** A planned root field of a mutation, ready to run. */
export interface PreparedWrite {
  readonly root: MutationRoot
  /**
   * Form of the result. `ids`: the function returns ids in `data`, and the objects are read by these ids. `void`:
   * returned rows are ignored.
   */
  readonly kind: 'documents' | 'ids' | 'void'
  readonly list: boolean
  readonly targets: readonly WriteTarget[]
  /** A second statement always reads the result, so the write needs an explicit transaction. */
  readonly readsAgain: boolean
  /** `true`: an empty result means that no row was found. */
  readonly rowsMatter: boolean
  /** Selections for the error types of a union result. */
  readonly errorMembers: readonly ObjectSelection[]
  /** Response keys of documents whose keys are converted to camelCase. */
  readonly cascadeKeys: readonly string[]
  /**
   * The single statement returns `before` and writes the `inserts` of the plan. Absent: the transaction does so with further statements.
   */
  readonly contributes?: true
  /** Fills in the parameters of a request. @throws SvcError UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT */
  bind(input: BindInput, mode: WriteMode): BoundWrite
  /**
   * Converts the rows of a statement that returns the function's own columns to rows with the columns of `bind`.
   * @throws ResultFault, SvcError for an invalid result
   */
  readonly resultRows?: (result: Rows) => readonly Row[]
}

/** Receives the change in bytes of the statements that a prepared write holds (negative: fewer). */
export type OnWritten = (bytes: number) => void
