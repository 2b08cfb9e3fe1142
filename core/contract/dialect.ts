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
 * Writes the SQL for one kind of database. Its input are plans, which contain no SQL. A driver supplies the dialect
 * (`Database.dialect`); `defineDialect` makes one from SQL pieces (`Primitives`). No other module writes SQL for
 * requests.
 */
export interface Dialect {
  /** Name by which compiled schemas refer to the dialect: `postgres`. */
  readonly name: string
  /** Filter operators that the dialect can write. Schemas that are compiled for the dialect use only these. */
  readonly operators: ReadonlySet<OperatorId>
  /** `true` if the database has roles that a transaction can switch to. Absent: it has none. */
  readonly hasRoles?: boolean
  /**
   * Statement that switches to a database role until the transaction ends. Its only parameter is the name of the role;
   * `none` is the role of the connection. Present when {@link hasRoles} is `true`.
   */
  readonly takeRole?: Statement
  /**
   * Statement that resets the search path after a called function may have changed it for the transaction. Absent:
   * functions of this database cannot change it.
   */
  readonly restorePath?: Statement
  /**
   * Prepares the SQL of a query.
   * @param keep `true`: the plan is cached, so the statement gets a name; `false`: the plan is for one request only
   */
  read(plan: ReadPlan, keep: boolean): PreparedRead
  /** Prepares the SQL for a read whose rows are streamed. @param keep as in {@link read} */
  stream(plan: StreamPlan, keep: boolean): PreparedStream
  /**
   * Column types that keyset pagination (relay connections) can sort by, because their stored form sorts like their
   * values. Empty: there is no keyset pagination. Absent: all types.
   */
  readonly cursorTypes?: ReadonlySet<string>
  /** `true`: the dialect writes no mutations, so that the compiler refuses them. Absent: it writes them. */
  readonly readOnly?: true
  /**
   * Prepares the SQL for one root field of a mutation.
   * @param onWritten called with the size in bytes of each statement that is added later, or removed (negative)
   */
  write(plan: WritePlan, onWritten?: OnWritten): PreparedWrite
  /**
   * Creates a query that returns the names and types of a function call's result columns without calling the function,
   * for schemas that were compiled without a catalog. `null`: the database has no such query, so schemas must be
   * compiled with a catalog.
   */
  readonly describeCall:
    | ((
        call: PlannedCall,
        input: BindInput,
      ) => { readonly statement: Statement; readonly parameters: readonly Parameter[] })
    | null
  /**
   * Rewrites a statement of the user that creates a view, function or trigger, so that it replaces an existing one. The
   * result may have several statements; for any other statement it has the statement itself.
   */
  replacing(statement: string): readonly string[]
  /**
   * Returns the text of a placeholder in SQL (`$1`, `?`), for statements that plugins write. A statement must use each
   * placeholder once, in order.
   * @param number number of the parameter, from 1
   */
  placeholder(number: number): string
  /**
   * Creates a statement that inserts one row. Its parameters are the values, in the order of `columns`.
   * @param table name of the table: `t`, `schema.t`
   */
  insertRow(table: string, columns: readonly string[]): Statement
  /** Creates the statements for a table of idempotency keys, which make a write happen at most once. */
  writeKeys(table: string): WriteKeyStatements
  /**
   * Tests whether the dialect can run a query on rows that are passed as JSON documents, because they were deleted from
   * their view or table. The SQL then applies filters and row rules to them. If not, use {@link project}, which applies
   * none.
   * @param isRuled `true` if rules restrict which rows of the type are visible
   */
  readsDocuments(source: CompiledSource, isRuled: boolean, selection: ObjectSelection): boolean
  /**
   * Creates a statement that reads one row of a type's view or table as a JSON document of its stored values, for
   * plugins that observe writes. Its only parameter is the row's id as text. Absent: plugins get the row as in a
   * response, with declared field names.
   */
  readonly storedRow?: (type: ObjectType) => Statement
  /**
   * Converts a JSON document of a row to the JSON text of the selected fields, without calling the database. The keys
   * of the document are column names, or those that a function returned. Types of values are not checked. Fields from
   * other views or tables, and fields that only some rows have, are null.
   * @returns `null` when `document` is no JSON object
   */
  project(selection: ObjectSelection, document: string): string | null
  /**
   * Creates a statement that lists the keys of the objects in a JSON column: per key, its JSON type (by PostgreSQL's
   * name) and the number of rows that have it. The compiler compares them with the schema. Absent: it does not.
   * @param rows number of rows to read
   */
  readonly sampleKeys?: (source: SampledSource, column: string, rows: number) => Statement
  /** Statement that checks deferred constraints now instead of at COMMIT, for a dry run, which is rolled back. */
  readonly checkNow?: Statement
  /**
   * Tests whether reading a field needs a cast that fails for some stored values, so that the message about such a
   * failure can name the field.
   */
  isReadByCast(field: Pick<FieldModel, 'named' | 'read'>): boolean
  readonly errors: DialectErrors
}

/** The view or table with the JSON column to sample. */
export interface SampledSource {
  readonly schema?: string | undefined
  readonly name: string
}

/** Interprets errors of the database. The argument `error` is always the value that the driver threw. */
export interface DialectErrors {
  /** Converts any error of the driver to one that may be sent to the client. */
  read(error: unknown, context?: DatabaseErrorContext): SvcError
  /**
   * Converts the error of a read that failed because a stored value is invalid for its type; `null` for other errors.
   * @param source name of the view or table in the schema; `null`: not known
   * @param fields fields that are read by a cast. The invalid value belongs to one of them, or to a field that is only
   *   filtered or ordered by
   */
  readStored(error: unknown, source: string | null, fields: readonly string[]): SvcError | null
  /**
   * Converts an error that the SQL of a read raises on purpose, or that a value of the client causes: a list longer
   * than `svc.max_rows`, an operand that the database cannot parse. `null` for other errors.
   */
  readGuard(error: unknown, read: Pick<FinishedRead, 'guards'>): SvcError | null
  /**
   * Returns the fault that a write's statement found in its own result and raised as an error; `null` for other errors.
   */
  writeFault(error: unknown): FoundFault | null
  /**
   * Tests whether the same statement may succeed when svc repeats it, for example after a deadlock or a serialization
   * failure.
   */
  isTransient(error: unknown): boolean
  /**
   * Tests whether SQL code raised the error on purpose (RAISE). The error then concerns only this call, whatever its
   * SQLSTATE.
   */
  isRaised(error: unknown): boolean
  /** Returns the name of the view or table that does not exist, without its schema; `null` for other errors. */
  missingRelation(error: unknown): string | null
  /**
   * Returns the name of the table whose row-level security rejected a written row, without its schema; `null` for other
   * errors.
   */
  refusingTable?(error: unknown): string | null
}
