import type { Database } from '../../../core/doors/plugin.ts'

/** A transaction that a server has recovered has no number of a session any more. */
const RECOVERED = '-1/'
const WRITERS = {
  name: 'svc_table_writers',
  text: `SELECT DISTINCT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
    AND relation = to_regclass($1) AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
} as const

/**
 * Open transactions that have written to a table. Each holds a lock of the table from before it takes a number of its sequence
 * until all others see its rows; transactions that have not touched the table, in this database or another one, hold none.
 */
export async function openWriters(database: Database, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(WRITERS, [table], null)
  return new Set(rows.map(([transaction]) => transaction!))
}

/** Have all of these transactions ended? A prepared one that outlived its server may be any of them. */
export async function haveEnded(
  database: Database,
  table: string,
  transactions: ReadonlySet<string>,
): Promise<boolean> {
  if (transactions.size === 0) return true
  for (const open of await openWriters(database, table))
    if (transactions.has(open) || open.startsWith(RECOVERED)) return false
  return true
}
