import type { MutationModel } from '../schema/model.ts'

/**
 * One row that a mutation wrote, as its function reported it. A function that reports no row (`void`, a scalar) gives one entry without an
 * entity. In `mutation:after` and for `Operation.write.dryRun` the write is not committed.
 */
export interface CommittedWrite {
  /** UUIDv7. The row of the outbox has the same id. */
  readonly id: string
  /** Time of the function call: ISO 8601, UTC. */
  readonly time: string
  /** Wire name of the mutation. */
  readonly mutation: string
  /**
   * Kind of the write: `operation` of the mutation in the schema, unless the function's status names another one (`created`, `new`,
   * `updated`, `deleted`). A mutation with `operation: DELETE` is always a DELETE.
   */
  readonly kind: MutationModel['operation']
  readonly entityType: string | null
  readonly entityId: string | null
  /** JSON text of the row after the write, with the function's keys. `null`: the function returned none, or a DELETE. */
  readonly entity: string | null
  /**
   * JSON text of the row before the write. It is read when a plugin requests it by `scope.writes`; otherwise only a DELETE has it, from the
   * function. `null`: there was no row, or no plugin requested it.
   */
  readonly before: string | null
  /** Names of changed fields, as the function returned them. */
  readonly updatedFields: readonly string[] | null
  /** JSON text about further changes, as the function returned it. Only the first row of a call has it. */
  readonly cascade: string | null
}
