import type { Database, Session } from '../../contract/database.ts'
import type { TableDefinition } from '../../contract/table.ts'
import { scriptOf } from '../../service/tables/make-table.ts'
import type { AppliedScript } from './read-scripts.ts'

/** The table in which `svc db apply` records what it has run. */
export const APPLIED_SCRIPTS: TableDefinition = {
  name: 'svc_applied_script',
  purpose: 'Scripts of the project that `svc db apply` has run',
  onDemand: true,
  versions: [
    {
      columns: ['name', 'checksum', 'applied_at'],
      sql: {
        postgres:
          'CREATE TABLE IF NOT EXISTS svc_applied_script (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
        sqlite:
          'CREATE TABLE IF NOT EXISTS svc_applied_script (name TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP)',
      },
    },
  ],
}

/** The key of the lock is `svcdb` in ASCII. */
const LOCK = 'SELECT pg_advisory_xact_lock(495907464290)'

/** Records a script, by dialect. */
const RECORD: Readonly<Record<string, string>> = {
  postgres:
    'INSERT INTO svc_applied_script (name, checksum) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = now()',
  sqlite:
    'INSERT INTO svc_applied_script (name, checksum) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = CURRENT_TIMESTAMP',
}

/** `new`: never run · `changed`: has run with another text · `missing`: has run, and the file does not exist any more */
export type ScriptState = 'applied' | 'new' | 'changed' | 'missing'

export interface ScriptStatus {
  readonly file: string
  readonly state: ScriptState
  readonly repeatable: boolean
}

/** Checksums by name of the script. */
export type Records = ReadonlyMap<string, string>

/** Waits for other runs, and creates the table. Ends with the transaction. SQLite has one writer anyhow. */
export async function lockRecords(session: Session, dialect: string): Promise<void> {
  if (dialect === 'postgres') await run(session, LOCK)
  await run(session, scriptOf(APPLIED_SCRIPTS, APPLIED_SCRIPTS.versions, dialect).replace(/;$/, ''))
}

/** Reads the records. @returns `null`: no script was ever recorded */
export async function readRecords(database: Database): Promise<Records | null> {
  const { relations } = await database.catalog({ relations: [APPLIED_SCRIPTS.name], functions: [] })
  if (!relations.has(APPLIED_SCRIPTS.name)) return null
  const { rows } = await database.query({ name: null, text: SELECT }, [], null)
  return new Map(rows.map(([name, checksum]) => [name!, checksum!]))
}

const SELECT = 'SELECT name, checksum FROM svc_applied_script'

/** Reads the records in the transaction that has the lock. */
export async function lockedRecords(session: Session): Promise<Records> {
  const { rows } = await session.query({ name: null, text: SELECT }, [])
  return new Map(rows.map(([name, checksum]) => [name!, checksum!]))
}

/** Records a script as applied. */
export async function recordScript(session: Session, dialect: string, script: AppliedScript): Promise<void> {
  await session.query({ name: null, text: RECORD[dialect]! }, [script.name, script.checksum])
}

/** Compares the scripts with the records. */
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
