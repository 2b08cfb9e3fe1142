import type { MutationRoot, ObjectSelection } from '../contract/operation.ts'
import type { BindInput } from '../contract/slot.ts'
import type { Parameter, Row, Rows, Statement } from '../contract/statement.ts'

/**
 * - `single`: one statement on its own. It fails, and so writes nothing, when something would have to be read again.
 * - `transaction`: the first statement of a transaction; says what is lacking.
 */
export type WriteMode = 'single' | 'transaction'

/** Columns of a result row. Which there are depends on the function and the mode. */
export type WriteColumn =
  | 'status'
  | 'message'
  | 'entity_id'
  | 'entity_type'
  /** JSON text of what is selected; SQL NULL = nothing came. */
  | 'data'
  /** Lists in one document: `item` for an item, else the kind of JSON that stands for the list; NULL = none. */
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
  /** JSON text of the row as it was before the call, where the plan asks for it and the dialect can say it afterwards. */
  | 'before'

/**
 * Faults that the statement of a write finds in its own result. It raises, so that the database undoes the write, and
 * the text of the error names the fault:
 * - `entity-incomplete`: the entity lacks what was selected; in a transaction it can be read from its source
 * - `unknown-status`: the status is none (behaviours 5.1)
 * - `unknown-type`: the entity is of no type that the result may have
 * - `nothing-found`: no row came where there has to be one
 */
export type WriteFault = 'entity-incomplete' | 'unknown-status' | 'unknown-type' | 'nothing-found'

/** A fault, as an error of the database names it. */
export interface FoundFault {
  readonly fault: WriteFault
  readonly detail: string
}

/** A place of the response that holds an entity, which can be read from its type's source. */
export interface WriteTarget {
  /** Response key in the payload; `null` = the result itself. */
  readonly at: string | null
  /** By name of the type; one entry where the type is known. */
  readonly possible: ReadonlyMap<string, ObjectSelection>
  /** Have its rows rules, so that only what can be read again is shown? */
  readonly ruled: boolean
}

export interface BoundWrite {
  readonly statement: Statement
  readonly parameters: readonly Parameter[]
  /** Position of each column in a row. */
  readonly columns: ReadonlyMap<WriteColumn, number>
}

/** One mutation root, ready to run. */
export interface PreparedWrite {
  readonly root: MutationRoot
  /** `ids`: the function gives ids only, `data` holds them, and the objects have to be read. `void`: no rows matter. */
  readonly kind: 'documents' | 'ids' | 'void'
  readonly list: boolean
  readonly targets: readonly WriteTarget[]
  /** Is the transaction needed whatever the function answers? */
  readonly readsAgain: boolean
  /** Does no row mean that nothing was found? */
  readonly rowsMatter: boolean
  /** The members of a union that stand for failures. */
  readonly errorMembers: readonly ObjectSelection[]
  /** Response keys whose documents go out with keys in camelCase. */
  readonly cascadeKeys: readonly string[]
  /**
   * Does the statement on its own give `before` and write the `inserts` of the plan? Absent: the transaction does it, with
   * statements of its own.
   */
  readonly contributes?: true
  /** @throws SvcError UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT */
  bind(input: BindInput, mode: WriteMode): BoundWrite
  /**
   * Rows with the columns of `bind`, where the statement gives those of the function itself.
   * @throws ResultFault, SvcError for a result that cannot be answered
   */
  readonly resultRows?: (result: Rows) => readonly Row[]
}

/** Told how many bytes of statements have come to hang on a prepared write (fewer: negative). */
export type OnWritten = (bytes: number) => void
