import type { MutationModel } from '../schema/model.ts'

/**
 * One row that a mutation wrote, as its function told of it. A function that names no row (`void`, a scalar) gives one
 * entry without an entity. Before COMMIT (`mutation:after`, `Operation.write.dryRun`) it says what is about to be written.
 */
export interface CommittedWrite {
  /** UUIDv7. The row of an outbox has the same. */
  readonly id: string
  /** When the call was made: ISO 8601, UTC. */
  readonly time: string
  /** Wire name of the mutation. */
  readonly mutation: string
  /**
   * What became of the row: `operation` of the mutation in the schema, unless the function's status says it of itself
   * (`created`, `new`, `updated`, `deleted`). What the schema calls a DELETE is one whatever the status.
   */
  readonly kind: MutationModel['operation']
  readonly entityType: string | null
  readonly entityId: string | null
  /** JSON text of the row as it is now, keys as the function gave them. `null`: it gave none, or it was a DELETE. */
  readonly entity: string | null
  /**
   * JSON text of the row as it was. Read where somebody asks for it (`scope.writes`); of a DELETE else what the function
   * gave. `null`: there was none, or nobody asked.
   */
  readonly before: string | null
  /** Names of what changed, as the function gave them. */
  readonly updatedFields: readonly string[] | null
  /** JSON text of what else changed, as the function gave it. Stands with the first row of the call. */
  readonly cascade: string | null
}
