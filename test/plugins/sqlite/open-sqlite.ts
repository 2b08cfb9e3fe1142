import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseConfig, Session } from '../../../core/doors/driver.ts'
import type { Database, Signal, Statement } from '../../../core/doors/plugin.ts'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { bestLibrary, type LibraryName, openSqlite } from '../../../plugins/sqlite/driver.ts'
import type { TestLike } from '../../helpers/services.ts'

const LIBRARIES: readonly LibraryName[] = bestLibrary() === 'node' ? ['node', 'wasm'] : ['wasm']

/** Runs a suite once per library that this Node has: its own (22.16, 24) and the WebAssembly build. */
export async function eachLibrary(
  t: Pick<TestLike, 'test'>,
  name: string,
  body: (t: TestLike, library: LibraryName) => Promise<void>,
): Promise<void> {
  for (const library of LIBRARIES) await t.test(`${library}: ${name}`, (sub) => body(sub, library))
}

/** A folder of the test's own, removed when it ends. */
export async function makeFolder(t: TestLike): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-sqlite-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface OpenOptions {
  readonly library: LibraryName
  /** Relative paths start from it; by default the database is in a temporary file. */
  readonly folder?: string
  readonly url?: string
  readonly sql?: string
  readonly config?: Partial<DatabaseConfig>
  readonly maxResultBytes?: number
  /** As `svc serve` opens a database. */
  readonly readOnly?: boolean
  readonly onSignal?: (signal: Signal) => void
}

/** Opens a database through the driver, closed when the test ends. */
export async function open(t: TestLike, options: OpenOptions): Promise<Database> {
  const {
    library,
    folder = tmpdir(),
    url = options.folder === undefined ? 'sqlite:memory' : 'sqlite:test.db',
  } = options
  const signals = createSignals()
  if (options.onSignal !== undefined) signals.subscribe(options.onSignal)
  const config: DatabaseConfig = {
    url,
    ssl_mode: 'prefer',
    pool_min: 1,
    pool_max: 4,
    connect_timeout_ms: 60_000,
    idle_timeout_ms: 600_000,
    prepared_statements: true,
    plan_cache_mode: 'auto',
    ...options.config,
  }
  const { maxResultBytes = 0, readOnly = false } = options
  const context = { baseDir: folder, signals, maxResultBytes, readOnly }
  const database = await openSqlite(config, context, library)
  t.teardown(() => database.close())
  if (options.sql !== undefined) await database.script(options.sql)
  return database
}

export function write(text: string, name: string | null = null): Statement {
  return { name, text }
}

export function read(text: string, name: string | null = null): Statement {
  return { name, text, readOnly: true }
}

/** The one value of a read. */
export async function single(
  database: Database,
  text: string,
  parameters: Parameters<Database['query']>[1] = [],
): Promise<string | null | undefined> {
  return (await database.query(read(text), parameters, null)).rows[0]?.[0]
}

/** A statement that does not end by itself. */
export const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'

/** As many rows as wanted, `?1`. */
export const SERIES =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(?1 AS INTEGER)) SELECT i, 'row ' || i FROM n"

/** The processes of this one's connections. */
export function connectionProcesses(): readonly number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return children.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('child/main')
    } catch {
      return false
    }
  })
}

/** Waits until it holds; fails the test's own time limit otherwise. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** 2,000 rows of 900 characters. */
export const TABLE = `CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT i, printf('%.*c', 900, 'x') FROM n;`
export const INSERT = write("INSERT INTO t (b) VALUES ('new')")

/** So much that pages of the transaction reach the file before it ends. */
export async function spill(session: Session): Promise<void> {
  await session.query(write('PRAGMA cache_size = 10'), [])
  await session.query(write("UPDATE t SET b = printf('%.*c', 900, 'y') WHERE a < 1900"), [])
}
