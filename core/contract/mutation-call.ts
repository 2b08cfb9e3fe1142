import type { MutationModel } from '../schema/model.ts'
import type { Session } from './database.ts'
import type { MutationRoot, Operation } from './operation.ts'

/** A root field of a mutation inside its transaction: argument of `mutation:before` and `mutation:after`. */
export interface MutationCall {
  readonly operation: Operation
  readonly root: MutationRoot
  /** Wire name of the mutation. */
  readonly mutation: string
  /** Kind of write: `operation` of the mutation in the schema. */
  readonly kind: MutationModel['operation']
  /** Coerced arguments by wire name. They may be secret: log names and no values. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** The transaction of the write. Its statements are committed or rolled back with the write. Do not use it after the hook. */
  readonly session: Session
  /** The transaction is rolled back in any case. Skip effects that a rollback does not undo. */
  readonly dryRun: boolean
}
