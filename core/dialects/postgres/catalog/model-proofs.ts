import type { DatabaseModel } from '../../../contract/database-model.ts'
import type { ColumnProofs } from './prove-columns.ts'

interface Proven {
  readonly proofs: ColumnProofs
  /** `pg_class.oid` of the relations that the proofs are about. */
  readonly oids: ReadonlySet<string>
}

/** What was proven while a model was read. Views take a round trip each. */
const proven = new WeakMap<DatabaseModel, Proven>()

/**
 * Stores which columns were proven NOT NULL or unique while a model was read, for a later `readCatalog` of the same
 * database.
 * @param oids `pg_class.oid` of the relations that the proofs cover
 */
export function keepProofs(model: DatabaseModel, proofs: ColumnProofs, oids: readonly string[]): void {
  proven.set(model, { proofs, oids: new Set(oids) })
}

/**
 * Returns the proofs that {@link keepProofs} stored for a model. `null`: none, or they do not cover all of `oids`
 * (`pg_class.oid`).
 */
export function proofsOf(model: DatabaseModel | undefined, oids: readonly string[]): ColumnProofs | null {
  const known = model === undefined ? undefined : proven.get(model)
  return known !== undefined && oids.every((oid) => known.oids.has(oid)) ? known.proofs : null
}
