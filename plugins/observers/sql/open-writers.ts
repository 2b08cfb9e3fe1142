import type { Database } from '../../../core/doors/plugin.ts'

/** Virtual transaction ids of prepared transactions that survived a restart begin with this. */
const RECOVERED = '-1/'
const WRITERS = {
  name: 'svc_table_writers',
  text: `SELECT DISTINCT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
    AND relation = to_regclass($1) AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
} as const

/**
 * Returns the open transactions that have written to a table. Each locks the table before it takes a number of its sequence, and
 * until its rows are visible. Transactions that have not used the table, in this database or another one, hold no such lock.
 */
export async function openWriters(database: Database, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(WRITERS, [table], null)
  return new Set(rows.map(([transaction]) => transaction!))
}

/**
 * Tests whether all of these transactions have ended. A prepared transaction that survived a restart may be any of
 * them.
 */
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
