import type { DatabaseErrorContext } from '../errors/from-database.ts'
import type { SvcError } from '../errors/svc-error.ts'
import type { BindInput } from '../front/slot.ts'
import type { Parameter, Statement } from '../front/statement.ts'
import type { OperatorId } from '../plan/operator.ts'
import type { WritePlan } from '../plan/plan-write.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { PlannedCall } from '../plan/write-call.ts'
import type { WriteKind } from '../plan/write-form.ts'
import type { FieldModel } from '../schema/model.ts'
import type { FinishedRead, PreparedRead } from './prepared-read.ts'
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
  /** @param keep prepare statements by name? `false`: the plan is for one request alone */
  read(plan: ReadPlan, keep: boolean): PreparedRead
  /** Results of functions that it takes; others are refused where a schema is compiled. Absent: all. */
  readonly writes?: ReadonlySet<WriteKind>
  write(plan: WritePlan, onWritten?: OnWritten): PreparedWrite
  /**
   * A query that has the columns of a call's result and calls nothing, for schemas that were compiled without a
   * catalog; `null`: the database has no such query.
   */
  describeCall(
    call: PlannedCall,
    input: BindInput,
  ): { readonly statement: Statement; readonly parameters: readonly Parameter[] } | null
  /** Does a cast that stored data can break stand between a leaf and the wire? */
  isReadByCast(field: Pick<FieldModel, 'named' | 'read'>): boolean
  readonly errors: DialectErrors
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
}
