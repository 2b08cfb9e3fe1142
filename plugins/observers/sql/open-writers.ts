import type { Database } from '../../../core/doors/plugin.ts'

/** Virtual transaction ids of prepared transactions that survived a restart begin with this. */
const RECOVERED = '-1/'
const WRITERS = {
  name: 'svc_table_writers',
  text: `SELECT DISTINCT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
    AND relation = to_regclass($1) AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
} as const

/**
 * Returns the ids of open transactions that have written to a table. Such a transaction holds a lock on the table from
 * before it takes a sequence number until its rows are visible.
 * @param table name of the table
 */
export async function openWriters(database: Database, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(WRITERS, [table], null)
  return new Set(rows.map(([transaction]) => transaction!))
}

/**
 * Tests whether all of the transactions have ended. A prepared transaction that survived a restart may be one of them.
 * @param table table that they wrote to
 * @param transactions ids from {@link openWriters}
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
