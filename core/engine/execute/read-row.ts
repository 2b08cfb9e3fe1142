import type { Cancellable } from '../../contract/cancellable.ts'
import type { Database } from '../../contract/database.ts'
import type { Setting } from '../../contract/setting.ts'
import type { LentRow, Parameter, Statement } from '../../contract/statement.ts'

/**
 * Reads the only row of a statement, as bytes if the driver supports it.
 * @param settings result of `readSettings`
 * @returns the result of `take`; `null` when there was not exactly one row
 */
export function readRow<T>(
  database: Database,
  statement: Statement,
  parameters: readonly Parameter[],
  cancel: Cancellable,
  take: (row: LentRow) => T,
  settings: readonly Setting[] | undefined,
): Promise<T | null> {
  // Not `async`: it returns the promise of the driver, because a further promise would slow down every request.
  if (database.readRow !== undefined) return database.readRow(statement, parameters, cancel, take, settings)
  return database
    .query(statement, parameters, cancel, settings)
    .then(({ rows }) => (rows.length === 1 ? take(rows[0]!) : null))
}
