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
  /** Is the declared result a list? */
  readonly list: boolean
  /** Does the function return a row per object, not a single document? */
  readonly perRow: boolean
  /** The members of a union that stand for failures. */
  readonly errorMembers: readonly ObjectSelection[]
  /** Response keys whose documents go out with keys in camelCase. */
  readonly cascadeKeys: readonly string[]
  /** Return the columns that a `CommitEvent` needs? */
  readonly events: boolean
  /**
   * Do rules restrict the rows of the type? Then each row in the result is read again under these rules, and omitted when the caller may
   * not see it.
   */
  readonly isRuled: (type: ObjectType) => boolean
  /** The types that a written row may have, by the declared result. */
  readonly types: readonly ObjectType[]
  /** Return each row as it was before the call? */
  readonly before: boolean
  /** Read an entity that the function does not return from its source? */
  readonly entity: boolean
  /** Rows to insert for each written row. */
  readonly inserts: readonly WriteInsert[]
}
