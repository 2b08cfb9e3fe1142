import type { Database } from '../../contract/database.ts'
import type { Parameter, Rows, Statement } from '../../contract/statement.ts'
import type { KeyValueStore } from '../../contract/store.ts'
import { runMysqlStore } from './mysql-store.ts'
import { storeUnavailable } from './store-failure.ts'
import { storeKey } from './store-key.ts'

const SWEEP_MS = 60_000

/** Statements of the store. Each parameter occurs once and in order, so that any style of placeholders works. */
const STATEMENTS = {
  get: 'SELECT value FROM svc_store WHERE key = $1 AND expires_at > $2',
  set: `INSERT INTO svc_store (key, value, expires_at) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
  add: `INSERT INTO svc_store (key, value, expires_at) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
    WHERE svc_store.expires_at <= $4 RETURNING key`,
  take: 'DELETE FROM svc_store WHERE key = $1 RETURNING value, expires_at',
  delete: 'DELETE FROM svc_store WHERE key = $1 RETURNING expires_at',
  increment: `INSERT INTO svc_store (key, value, expires_at) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO UPDATE SET
      value = CASE WHEN svc_store.expires_at <= $4 THEN excluded.value
        ELSE CAST(CAST(svc_store.value AS bigint) + CAST(excluded.value AS bigint) AS text) END,
      expires_at = CASE WHEN svc_store.expires_at <= $5 THEN excluded.expires_at ELSE svc_store.expires_at END
    RETURNING value, expires_at`,
  sweep: 'DELETE FROM svc_store WHERE expires_at <= $1',
} as const

export interface SqlStoreOptions {
  /**
   * Returns the database that has the table. Called on first use, because the store may be created before the database
   * is open.
   */
  readonly database: () => Database
  /** Prefix of all keys, so that plugins can share the table. */
  readonly prefix: string
  /** Called before each statement; resolves when the table exists. Default: the table is assumed to exist. */
  readonly ready?: () => Promise<void>
  readonly now?: () => number
}

/** Creates a key-value store in the table `svc_store` of the service's database. */
export function createSqlStore({ database, prefix, ready, now = Date.now }: SqlStoreOptions): KeyValueStore {
  const keyOf = (key: string): string => storeKey(prefix, key)
  const statements = new Map<keyof typeof STATEMENTS, Statement>()
  let sweptAt = now()

  async function run(name: keyof typeof STATEMENTS, ...parameters: readonly Parameter[]): Promise<Rows['rows']> {
    try {
      await ready?.()
      const db = database()
      if (db.dialect.name === 'mysql') return await runMysqlStore(db, name, parameters)
      let statement = statements.get(name)
      if (statement === undefined) {
        const text = STATEMENTS[name].replace(/\$(\d)/g, (_, number) => db.dialect.placeholder(Number(number)))
        statement = { name: `svc_store_${name}`, text, readOnly: name === 'get' }
        statements.set(name, statement)
      }
      return (await db.query(statement, parameters, null)).rows
    } catch (error) {
      throw storeUnavailable(error)
    }
  }

  async function write(name: 'set' | 'add' | 'increment', ...parameters: readonly Parameter[]): Promise<Rows['rows']> {
    const rows = await run(name, ...parameters)
    if (now() - sweptAt >= SWEEP_MS) {
      sweptAt = now()
      // A later write repeats a failed sweep.
      void run('sweep', String(now())).catch(() => {})
    }
    return rows
  }

  const endOf = (ttlMs: number): string => String(now() + Math.max(1, Math.ceil(ttlMs)))
  return {
    kind: 'sqldb',
    get: async (key) => (await run('get', keyOf(key), String(now())))[0]?.[0] ?? null,
    async set(key, value, ttlMs) {
      await write('set', keyOf(key), value, endOf(ttlMs))
    },
    add: async (key, value, ttlMs) => (await write('add', keyOf(key), value, endOf(ttlMs), String(now()))).length === 1,
    async take(key) {
      const [row] = await run('take', keyOf(key))
      return row !== undefined && Number(row[1]) > now() ? (row[0] ?? null) : null
    },
    async delete(key) {
      const [row] = await run('delete', keyOf(key))
      return row !== undefined && Number(row[0]) > now()
    },
    async increment(key, ttlMs, by = 1) {
      const at = String(now())
      const [row] = await write('increment', keyOf(key), String(by), endOf(ttlMs), at, at)
      return { value: Number(row?.[0]), ttlMs: Number(row?.[1]) - now() }
    },
    async close() {},
  }
}
