import type { Cancellable, Database } from '../front/database.ts'
import type { LentRow, Parameter, Statement } from '../front/statement.ts'

/**
 * The only row of a read, as bytes where the driver has them.
 * @returns what `take` returned; `null` when there was not exactly one row
 */
export function readRow<T>(
  database: Database,
  statement: Statement,
  parameters: readonly Parameter[],
  cancel: Cancellable,
  take: (row: LentRow) => T,
): Promise<T | null> {
  // Not `async`: the driver's promise is the answer, and each further one costs every request.
  if (database.readRow !== undefined) return database.readRow(statement, parameters, cancel, take)
  return database.query(statement, parameters, cancel).then(({ rows }) => (rows.length === 1 ? take(rows[0]!) : null))
}
