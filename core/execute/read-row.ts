import type { Cancellable } from '../contract/cancellable.ts'
import type { Database } from '../contract/database.ts'
import type { Setting } from '../contract/setting.ts'
import type { LentRow, Parameter, Statement } from '../contract/statement.ts'

/**
 * The only row of a read, as bytes where the driver has them.
 * @param settings `readSettings`
 * @returns what `take` returned; `null` when there was not exactly one row
 */
export function readRow<T>(
  database: Database,
  statement: Statement,
  parameters: readonly Parameter[],
  cancel: Cancellable,
  take: (row: LentRow) => T,
  settings: readonly Setting[] | undefined,
): Promise<T | null> {
  // Not `async`: the driver's promise is the answer, and each further one costs every request.
  if (database.readRow !== undefined) return database.readRow(statement, parameters, cancel, take, settings)
  return database
    .query(statement, parameters, cancel, settings)
    .then(({ rows }) => (rows.length === 1 ? take(rows[0]!) : null))
}
