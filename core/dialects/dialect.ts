import type { ObjectSelection } from '../contract/operation.ts'
import type { BindInput } from '../contract/slot.ts'
import type { Parameter, Statement } from '../contract/statement.ts'
import type { WriteKeyStatements } from '../contract/write-once.ts'
import type { DatabaseErrorContext } from '../errors/from-database.ts'
import type { SvcError } from '../errors/svc-error.ts'
import type { OperatorId } from '../plan/conditions/operator.ts'
import type { StreamPlan } from '../plan/plan-stream.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { WritePlan } from '../plan/write/plan-write.ts'
import type { PlannedCall } from '../plan/write/write-call.ts'
import type { CompiledSource } from '../schema/compiled.ts'
import type { FieldModel, ObjectType } from '../schema/model.ts'
import type { FinishedRead, PreparedRead } from './prepared-read.ts'
import type { PreparedStream } from './prepared-stream.ts'
import type { FoundFault, OnWritten, PreparedWrite } from './prepared-write.ts'

/**
 * The SQL of one kind of database: the only place that writes any. It is given plans, which hold none. A driver brings
 * it (`Database.dialect`); `defineDialect` makes one of primitives.
 */
export interface Dialect {
  /** As the artifact of a schema that is compiled for it says: `postgres`. */
  readonly name: string
  /** The operators that it has. No other is advertised where the schema is compiled for it. */
  readonly operators: ReadonlySet<OperatorId>
  /** Has the database roles that a transaction can take on? Absent: no. */
  readonly hasRoles?: boolean
  /**
   * Takes on a role until the transaction ends; its only parameter is the name, and `none` is the role of the connection. Present
   * where {@link hasRoles}.
   */
  readonly takeRole?: Statement
  /** Names mean again what they mean to the session, whatever a function has set for its transaction. Absent: none can. */
  readonly restorePath?: Statement
  /** @param keep prepare statements by name? `false`: the plan is for one request alone */
  read(plan: ReadPlan, keep: boolean): PreparedRead
  /** The same of a read whose rows come one by one. */
  stream(plan: StreamPlan, keep: boolean): PreparedStream
  /** Types of columns that a connection can page by: as they are stored, they sort as their values do. Absent: all. */
  readonly cursorTypes?: ReadonlySet<string>
  write(plan: WritePlan, onWritten?: OnWritten): PreparedWrite
  /**
   * A query that has the columns of a call's result and calls nothing, for schemas that were compiled without a
   * catalog; `null`: the database has no such queries, so the catalog has to know what each function gives.
   */
  readonly describeCall:
    | ((
        call: PlannedCall,
        input: BindInput,
      ) => { readonly statement: Statement; readonly parameters: readonly Parameter[] })
    | null
  /**
   * What has to run for a statement of the author whose view, function or trigger may be there already, so that the new
   * one takes its place. Every other statement stays as it is.
   */
  replacing(statement: string): readonly string[]
  /** Of the parameter with that number, from 1: for statements of plugins, which name each once and in order. */
  placeholder(number: number): string
  /** Writes one row; the parameters are the values of the columns. @param table `t`, `schema.t` */
  insertRow(table: string, columns: readonly string[]): Statement
  /** Of a table of keys of writes. */
  writeKeys(table: string): WriteKeyStatements
  /**
   * Does it read rows of a source out of documents, so that rules are laid on rows that are gone? Others are shown by {@link project}.
   * @param isRuled do rules say which rows are seen?
   */
  readsDocuments(source: CompiledSource, isRuled: boolean, selection: ObjectSelection): boolean
  /**
   * A row of a type's source as a document of what stands there, by the text of its id, which is the only parameter. For
   * plugins that are told of writes. Absent: it is read as for an answer, keys as declared.
   */
  readonly storedRow?: (type: ObjectType) => Statement
  /**
   * What is selected of a row that somebody holds as a document, keys as the database or a function gives them: JSON text of
   * the object, without a look at what its values have to be. What stands in other sources, and what is shown in some rows
   * only, is null. `null`: that is no document.
   */
  project(selection: ObjectSelection, document: string): string | null
  /**
   * Keys of the objects in a column of documents, of the first rows: per key and type of JSON (by PostgreSQL's names) the
   * key, the type, how many. For the compiler. Absent: nobody looks at them.
   */
  readonly sampleKeys?: (source: SampledSource, column: string, rows: number) => Statement
  /** Has the database check now what it would check at COMMIT, for what is never committed. */
  readonly checkNow?: Statement
  /** Does a cast that stored data can break stand between a leaf and the wire? */
  isReadByCast(field: Pick<FieldModel, 'named' | 'read'>): boolean
  readonly errors: DialectErrors
}

/** A view or table. */
export interface SampledSource {
  readonly schema?: string | undefined
  readonly name: string
}

/** What the errors of a database mean. */
export interface DialectErrors {
  /** An error of the driver as the client may see it. */
  read(error: unknown, context?: DatabaseErrorContext): SvcError
  /**
   * A read whose statement fails over a stored value; `null`: another error.
   * @param source as the schema names it
   * @param fields that are read by a cast: it is one of them, or one that only the filter or the order reads
   */
  readStored(error: unknown, source: string | null, fields: readonly string[]): SvcError | null
  /**
   * Errors that a read raises on purpose, or that a client's text causes: a list longer than `svc.max_rows`, an operand
   * that the database cannot read. `null`: another one.
   */
  readGuard(error: unknown, read: Pick<FinishedRead, 'guards'>): SvcError | null
  /** A fault that the statement of a write found in its own result; `null`: another error. */
  writeFault(error: unknown): FoundFault | null
  /** May the same statement succeed now: was it a deadlock, a serialisation failure? */
  isTransient(error: unknown): boolean
  /** Did a function raise it, so that it concerns that call alone, whatever code it carries? */
  isRaised(error: unknown): boolean
  /** The name of a relation that does not exist, without its schema; `null`: it is another error. */
  missingRelation(error: unknown): string | null
  /** The name of the table whose rules refused a row, without its schema. */
  refusingTable?(error: unknown): string | null
}
