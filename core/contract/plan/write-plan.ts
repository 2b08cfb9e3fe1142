import type { CompiledReturn } from '../../schema/compiled.ts'
import type { ObjectType } from '../../schema/model.ts'
import type { ReturnForm, WriteKind } from '../../schema/return-form.ts'
import type { MutationRoot, ObjectSelection } from '../operation.ts'
import type { WriteInsert } from '../write-contribution.ts'
import type { PlannedCall } from './planned-call.ts'

/**
 * The plan of one root field of a mutation, without SQL: the call of the database function, and how its result is read.
 */
export interface WritePlan {
  readonly root: MutationRoot
  readonly call: PlannedCall
  /**
   * Result columns of the database function, from the compiled schema or, without a catalog, as the database described
   * them.
   */
  readonly returns: CompiledReturn
  readonly form: ReturnForm
  readonly kind: WriteKind
  /** `true` if the schema declares that the mutation returns a list. */
  readonly list: boolean
  /** `true`: the function returns one row per object; `false`: a single row with a JSON document. */
  readonly perRow: boolean
  /** Selections on the types of the result union that represent errors. */
  readonly errorMembers: readonly ObjectSelection[]
  /** Response keys of the JSON texts about further changes (`cascade`), whose keys are converted to camelCase. */
  readonly cascadeKeys: readonly string[]
  /**
   * `true`: the statement also returns the data for `CommitEvent` and `Result.writes`, because hooks or the caller need
   * it.
   */
  readonly events: boolean
  /**
   * Tests whether rules restrict which rows of a type are visible. If so, each written row is read again under these
   * rules, and left out of the result if the caller may not see it.
   */
  readonly isRuled: (type: ObjectType) => boolean
  /** Object types that a written row may have, by the declared type of the mutation. */
  readonly types: readonly ObjectType[]
  /** `true`: the statement also returns each row as it was before the write, because a plugin requested it. */
  readonly before: boolean
  /**
   * `true`: if the function returns only an id, the written row is read from its view or table, because a plugin
   * requested it.
   */
  readonly entity: boolean
  /** Rows that plugins add for each written row, such as a row of the outbox. */
  readonly inserts: readonly WriteInsert[]
}
