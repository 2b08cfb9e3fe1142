import type { DatabaseErrorContext } from '../base/errors/from-database.ts'
import type { SvcError } from '../base/errors/svc-error.ts'
import type { CompiledSource } from '../schema/compiled.ts'
import type { FieldModel, ObjectType } from '../schema/model.ts'
import type { OperatorId } from '../schema/operators/operator.ts'
import type { ObjectSelection } from './operation.ts'
import type { PlannedCall } from './plan/planned-call.ts'
import type { ReadPlan } from './plan/read-plan.ts'
import type { StreamPlan } from './plan/stream-plan.ts'
import type { WritePlan } from './plan/write-plan.ts'
import type { FinishedRead, PreparedRead } from './prepared-read.ts'
import type { PreparedStream } from './prepared-stream.ts'
import type { FoundFault, OnWritten, PreparedWrite } from './prepared-write.ts'
import type { BindInput } from './slot.ts'
import type { Parameter, Statement } from './statement.ts'
import type { WriteKeyStatements } from './write-once.ts'

/**
 * Writes the SQL of one kind of database, from plans without SQL. No other module writes SQL for requests. A driver
 * supplies it (`Database.dialect`); `defineDialect` makes one from primitives.
 */
export interface Dialect {
  /** Name of the dialect in compiled schemas: `postgres`. */
  readonly name: string
  /** Operators that the dialect can write. Schemas that are compiled for the dialect use only these. */
  readonly operators: ReadonlySet<OperatorId>
  /** `true` if the database has roles that a transaction can switch to. Absent: it has none. */
  readonly hasRoles?: boolean
  /**
   * Switches to a role until the transaction ends. The only parameter is its name; `none` is the role of the connection.
   * Present when {@link hasRoles} is `true`.
   */
  readonly takeRole?: Statement
  /** Resets the search path that a function may have set for the transaction. Absent: functions cannot set it. */
  readonly restorePath?: Statement
  /** Prepares a read. @param keep `true`: prepare the statement by name; `false`: the plan is for one request only */
  read(plan: ReadPlan, keep: boolean): PreparedRead
  /** Prepares a read whose rows are streamed. */
  stream(plan: StreamPlan, keep: boolean): PreparedStream
  /** Column types that a connection can page by: their stored form sorts like their values. Absent: all types. */
  readonly cursorTypes?: ReadonlySet<string>
  /** Prepares a mutation. @param onWritten receives the written row of each call */
  write(plan: WritePlan, onWritten?: OnWritten): PreparedWrite
  /**
   * Makes a query that returns the columns of a call's result without calling the function, for schemas that were compiled without a
   * catalog. `null`: the database has no such queries, so schemas must be compiled with a catalog.
   */
  readonly describeCall:
    | ((
        call: PlannedCall,
        input: BindInput,
      ) => { readonly statement: Statement; readonly parameters: readonly Parameter[] })
    | null
  /**
   * Converts the author's statement that creates a view, function or trigger into statements that replace an existing one. Other
   * statements are returned unchanged.
   */
  replacing(statement: string): readonly string[]
  /**
   * Returns the placeholder for parameter `number` (1-based), for statements of plugins. A statement must use each
   * placeholder once, in order.
   */
  placeholder(number: number): string
  /**
   * Creates a statement that inserts one row; the parameters are the values of the columns.
   * @param table `t`, `schema.t`
   */
  insertRow(table: string, columns: readonly string[]): Statement
  /** Creates the statements for a table of idempotency keys. */
  writeKeys(table: string): WriteKeyStatements
  /**
   * Tests whether the dialect can read rows of a source from JSON documents, so that rules apply to deleted rows. If
   * not, use {@link project}.
   * @param isRuled `true` if rules restrict which rows are visible
   */
  readsDocuments(source: CompiledSource, isRuled: boolean, selection: ObjectSelection): boolean
  /**
   * Creates a statement that reads a row of a type's source as a document of its stored values. The only parameter is
   * the text of the row's id. For plugins that observe writes. Absent: plugins get the row as in a response, with
   * declared keys.
   */
  readonly storedRow?: (type: ObjectType) => Statement
  /**
   * Converts a JSON document of a row to the selected members, as JSON text. The document has the keys of the database
   * or of a function. The types of values are not checked. Members from other sources, and members that only some rows
   * have, are null.
   * @returns `null` when `document` is no JSON object
   */
  project(selection: ObjectSelection, document: string): string | null
  /**
   * Creates a statement that lists the keys of the objects in a JSON column, from its first rows: the key, its JSON
   * type (a name of PostgreSQL) and the number of rows with the key. For the compiler. Absent: the compiler does not
   * check such keys.
   */
  readonly sampleKeys?: (source: SampledSource, column: string, rows: number) => Statement
  /** Checks deferred constraints now instead of at COMMIT, for transactions that are rolled back. */
  readonly checkNow?: Statement
  /** Tests whether a field is read by a cast that can fail for stored values. */
  isReadByCast(field: Pick<FieldModel, 'named' | 'read'>): boolean
  readonly errors: DialectErrors
}

/** A view or table. */
export interface SampledSource {
  readonly schema?: string | undefined
  readonly name: string
}

/** Translates errors of the database. `error` is always the error that the driver threw. */
export interface DialectErrors {
  /** Converts an error of the driver to one that may be sent to the client. */
  read(error: unknown, context?: DatabaseErrorContext): SvcError
  /**
   * Converts the error of a read that failed on a stored value; `null` for other errors.
   * @param source the source as the schema names it
   * @param fields fields that are read by a cast. The invalid value belongs to one of them, or to a field that is only filtered or
   *   ordered by
   */
  readStored(error: unknown, source: string | null, fields: readonly string[]): SvcError | null
  /**
   * Converts an error that a read raises on purpose, or that a text of the client causes: a list longer than
   * `svc.max_rows`, an operand that the database cannot parse. `null` for other errors.
   */
  readGuard(error: unknown, read: Pick<FinishedRead, 'guards'>): SvcError | null
  /** Reads a fault that the statement of a write found in its own result; `null` for other errors. */
  writeFault(error: unknown): FoundFault | null
  /**
   * Tests whether the same statement may succeed when it is repeated, for example after a deadlock or a serialization
   * failure.
   */
  isTransient(error: unknown): boolean
  /** Tests whether a SQL function raised the error. Then only that call fails, with any SQLSTATE. */
  isRaised(error: unknown): boolean
  /** Returns the name of the relation that does not exist, without its schema; `null` for other errors. */
  missingRelation(error: unknown): string | null
  /**
   * Returns the name of the table whose row-level security refused a row, without its schema; `null` for other errors.
   */
  refusingTable?(error: unknown): string | null
}
