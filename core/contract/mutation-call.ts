import type { MutationModel } from '../schema/model.ts'
import type { Session } from './database.ts'
import type { MutationRoot, Operation } from './operation.ts'

/** One root field of a mutation inside its transaction, for `mutation:before` and `mutation:after`. */
export interface MutationCall {
  readonly operation: Operation
  readonly root: MutationRoot
  /** Wire name of the mutation. */
  readonly mutation: string
  /** `operation` of the mutation in the schema. */
  readonly kind: MutationModel['operation']
  /** Coerced, by wire name. May be secret: log the names, not the values. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** The transaction: what runs on it stands or falls with the write. Over when the moment is over. */
  readonly session: Session
  /** Everything is rolled back at the end: leave out what a rollback does not undo. */
  readonly dryRun: boolean
}
