import type { MutationModel } from '../schema/model.ts'
import type { Session } from './database.ts'
import type { MutationRoot, Operation } from './operation.ts'

/**
 * One root field of a mutation, while its transaction is open: argument of the hooks `mutation:before` and
 * `mutation:after`.
 */
export interface MutationCall {
  readonly operation: Operation
  readonly root: MutationRoot
  /** Name of the mutation in the API. */
  readonly mutation: string
  /** Kind of write: the option `operation` of the mutation in the schema. */
  readonly kind: MutationModel['operation']
  /**
   * Arguments of the root field by their names in the API, converted to their types. They may be secret: log only the
   * names.
   */
  readonly arguments: Readonly<Record<string, unknown>>
  /**
   * The open transaction of the write. Statements that the hook runs with it are committed or rolled back with the
   * write. It ends with the hook.
   */
  readonly session: Session
  /**
   * `true`: the transaction is rolled back even on success. Skip effects that a rollback does not undo, such as an
   * e-mail.
   */
  readonly dryRun: boolean
}
