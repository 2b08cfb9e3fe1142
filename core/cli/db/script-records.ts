import type { Database, Session } from '../../contract/database.ts'
import type { Statement } from '../../contract/statement.ts'
import { scriptOf } from '../../service/tables/make-table.ts'
import { APPLIED_SCRIPTS } from '../database/applied-scripts.ts'
import type { AppliedScript } from './read-scripts.ts'

/** The key of the lock is `svcdb` in ASCII. */
const LOCK = 'SELECT pg_advisory_xact_lock(495907464290)'

/**
 * The lock of MariaDB and MySQL belongs to the connection. Scripts have the meaning that they have in the command-line
 * client. `resets`: the driver resets the connection afterwards, which releases the lock.
 */
const MYSQL_LOCK: readonly Statement[] = [
  "SELECT GET_LOCK(CONCAT('svc db ', DATABASE()), 3600)",
  'SET SESSION sql_mode = @@global.sql_mode',
].map((text) => ({ name: null, text, resets: true }))

/** Records a script, by dialect. */
const RECORD: Readonly<Record<string, string>> = {
  postgres:
    'INSERT INTO svc_applied_script (name, checksum) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = now()',
  sqlite:
    'INSERT INTO svc_applied_script (name, checksum) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = CURRENT_TIMESTAMP',
  mysql:
    'INSERT INTO svc_applied_script (name, checksum) VALUES (?1, ?2) ON DUPLICATE KEY UPDATE checksum = VALUES(checksum), applied_at = CURRENT_TIMESTAMP',
}

/**
 * State of a script, as `svc db apply --status` lists it. `new`: it never ran. `changed`: it ran with another text.
 * `missing`: it ran, and its file was deleted.
 */
export type ScriptState = 'applied' | 'new' | 'changed' | 'missing'

export interface ScriptStatus {
  readonly file: string
  readonly state: ScriptState
  readonly repeatable: boolean
}

/** Checksum of each applied script at the time when it ran, by name of the script. */
export type Records = ReadonlyMap<string, string>

/**
 * Waits until no other `svc db apply` runs on the database, and creates the table of applied scripts if it is missing.
 * The lock ends with the transaction. SQLite needs no lock, because it permits one writer.
 * @param session session with an open transaction
 */
export async function lockRecords(session: Session, dialect: string): Promise<void> {
  if (dialect === 'postgres') {
    await run(session, LOCK)
    // A role that may not create tables uses an existing one. PostgreSQL refuses even its CREATE TABLE IF NOT EXISTS.
    const { rows } = await session.query({ name: null, text: EXISTS }, [])
    if (rows[0]?.[0] === 'true') return
  }
  if (dialect === 'mysql') for (const statement of MYSQL_LOCK) await session.query(statement, [])
  await run(session, scriptOf(APPLIED_SCRIPTS, APPLIED_SCRIPTS.versions, dialect).replace(/;$/, ''))
}

/**
 * Reads the applied scripts, without a lock.
 * @returns `null`: the table does not exist, so no script was ever applied
 */
export async function readRecords(database: Database): Promise<Records | null> {
  const { relations } = await database.catalog({ relations: [APPLIED_SCRIPTS.name], functions: [] })
  if (!relations.has(APPLIED_SCRIPTS.name)) return null
  const { rows } = await database.query({ name: null, text: SELECT }, [], null)
  return new Map(rows.map(([name, checksum]) => [name!, checksum!]))
}

const EXISTS = "SELECT (pg_catalog.to_regclass('svc_applied_script') IS NOT NULL)::text"
const SELECT = 'SELECT name, checksum FROM svc_applied_script'

/** Reads the applied scripts, in the transaction in which `lockRecords` was called. */
export async function lockedRecords(session: Session): Promise<Records> {
  const { rows } = await session.query({ name: null, text: SELECT }, [])
  return new Map(rows.map(([name, checksum]) => [name!, checksum!]))
}

/**
 * Stores name and checksum of a script in the table of applied scripts. An earlier record of the script is replaced.
 */
export async function recordScript(session: Session, dialect: string, script: AppliedScript): Promise<void> {
  await session.query({ name: null, text: RECORD[dialect]! }, [script.name, script.checksum])
}

/**
 * Compares the scripts of the project with those that were applied, and returns the state of each. Applied scripts
 * without a file are at the end.
 */
export function compareRecords(scripts: readonly AppliedScript[], records: Records): readonly ScriptStatus[] {
  const names = new Set(scripts.map(({ name }) => name))
  const missing = [...records.keys()].filter((name) => !names.has(name)).sort()
  return [
    ...scripts.map(({ name, checksum, repeatable }) => {
      const known = records.get(name)
      const state = known === undefined ? 'new' : known === checksum ? 'applied' : 'changed'
      return { file: name, state, repeatable } as const
    }),
    ...missing.map((file) => ({ file, state: 'missing' as const, repeatable: false })),
  ]
}

async function run(session: Session, text: string): Promise<void> {
  await session.query({ name: null, text }, [])
}
