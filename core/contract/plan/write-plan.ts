import type { CompiledReturn } from '../../schema/compiled.ts'
import type { ObjectType } from '../../schema/model.ts'
import type { ReturnForm, WriteKind } from '../../schema/return-form.ts'
import type { MutationRoot, ObjectSelection } from '../operation.ts'
import type { WriteInsert } from '../write-contribution.ts'
import type { PlannedCall } from './planned-call.ts'

/** The plan of a mutation's root field, without SQL: the call, and how its result is read. */
export interface WritePlan {
  readonly root: MutationRoot
  readonly call: PlannedCall
  /** Result columns of the function, from the compiled schema or as the database described them. */
  readonly returns: CompiledReturn
  readonly form: ReturnForm
  readonly kind: WriteKind
  /** `true` if the declared result is a list. */
  readonly list: boolean
  /** `true` if the function returns one row per object; `false` if it returns a single document. */
  readonly perRow: boolean
  /** Members of the result union that represent failures. */
  readonly errorMembers: readonly ObjectSelection[]
  /** Response keys of documents whose keys are converted to camelCase. */
  readonly cascadeKeys: readonly string[]
  /** `true`: the statement also returns the columns that a `CommitEvent` needs. */
  readonly events: boolean
  /**
   * Tests whether rules restrict the rows of a type. If so, each row in the result is read again under these rules, and
   * omitted when the caller may not see it.
   */
  readonly isRuled: (type: ObjectType) => boolean
  /** The types that a written row may have, by the declared result. */
  readonly types: readonly ObjectType[]
  /** `true`: the statement also returns each row as it was before the call. */
  readonly before: boolean
  /** `true`: an entity that the function does not return is read from its source. */
  readonly entity: boolean
  /** Rows to insert for each written row. */
  readonly inserts: readonly WriteInsert[]
}
