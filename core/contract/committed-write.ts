import type { MutationModel } from '../schema/model.ts'

/**
 * One row that a mutation wrote, as its database function reported it, for hooks and events. A function that reports no
 * row (it returns `void` or a scalar) gives one entry whose `entity` is `null`. In `mutation:after` hooks and in a dry
 * run (`Operation.write.dryRun`) the write is not committed.
 */
export interface CommittedWrite {
  /** Id of this write, a UUIDv7. The outbox plugin stores the write under the same id. */
  readonly id: string
  /** Time at which the database function was called: ISO 8601, UTC. */
  readonly time: string
  /** Name of the mutation in the API. */
  readonly mutation: string
  /**
   * Kind of the write. It is the option `operation` of the mutation in the schema, unless the status that the database
   * function returned names another one (`created`, `new`, `updated`, `deleted`). With `operation: DELETE` it is always
   * DELETE.
   */
  readonly kind: MutationModel['operation']
  readonly entityType: string | null
  readonly entityId: string | null
  /**
   * JSON text of the row after the write, with the keys that the database function uses. `null`: the function returned
   * no row, or the write is a DELETE.
   */
  readonly entity: string | null
  /**
   * JSON text of the row before the write. It is read when a plugin requests it with `scope.writes`. Otherwise only a
   * DELETE has it, from the result of the function. `null`: the row did not exist before, or its state was not read.
   */
  readonly before: string | null
  /** Names of the changed fields, as the database function of the mutation returned them; `null`: it returned none. */
  readonly updatedFields: readonly string[] | null
  /**
   * JSON text about changes to other rows, as the database function of the mutation returned it; `null`: it returned
   * none. If the function reports several rows, only the first has it.
   */
  readonly cascade: string | null
}
