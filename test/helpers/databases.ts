import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Extensions, PGlite } from '@electric-sql/pglite'
import type { DatabaseConfig } from '../../core/doors/driver.ts'
import type { Database, Signal } from '../../core/doors/plugin.ts'
import { createSignals } from '../../core/service/signals/create-signals.ts'
import { readDataFolder } from '../../plugins/pglite/engine/data-folder.ts'
import { findTemplate } from '../../plugins/pglite/engine/engine-files.ts'
import { type DatabaseWorld, readDatabaseWorld, roleStatements, setUpStatements } from './database-world.ts'
import { runSql } from './run-sql.ts'
import { requireService, SERVICES, type TestLike } from './services.ts'

export interface DatabaseOptions {
  /** Run once in the fresh database; several statements are fine. */
  readonly sql?: string | undefined
  /** That the SQL creates, of those that the embedded database has to be opened with. */
  readonly extensions?: readonly EmbeddedExtension[]
  /** How the database differs from others. Default: as the environment says. */
  readonly world?: DatabaseWorld
}

export type EmbeddedExtension = 'ltree' | 'vector'

/** The same database as a file, for suites that run on SQLite too. */
export interface SqliteOptions {
  readonly sql: string
  /** By name of the function. */
  readonly scripts?: Readonly<Record<string, string>>
}

const run = promisify(execFile)
const USER = process.env.PGUSER ?? 'postgres'
const PASSWORD = process.env.PGPASSWORD

/** URL of a database on the test server. */
export function postgresUrl(database: string): string {
  const { host, port } = SERVICES.postgres
  const credentials = PASSWORD === undefined ? USER : `${USER}:${encodeURIComponent(PASSWORD)}`
  return `postgres://${credentials}@${host.startsWith('/') ? encodeURIComponent(host) : host}:${port}/${database}`
}

/** Creates a database of its own on the PostgreSQL server, dropped when the test ends. @returns its URL */
export async function createPostgresDatabase(
  t: Pick<TestLike, 'teardown'>,
  options: DatabaseOptions = {},
): Promise<string> {
  const name = `svc_test_${randomBytes(8).toString('hex')}`
  const { world = readDatabaseWorld() } = options
  await runOnServer('postgres', `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  t.teardown(async () => {
    await runOnServer('postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    if (world.role !== undefined) await runOnServer('postgres', `DROP ROLE IF EXISTS ${name}`)
  })
  for (const statement of setUpStatements(name, world)) await runOnServer(name, statement)
  if (options.sql !== undefined) await runOnServer(name, options.sql)
  if (world.role === undefined) return postgresUrl(name)
  for (const statement of roleStatements(name, world.role)) await runOnServer(name, statement)
  return Object.assign(new URL(postgresUrl(name)), { username: name }).href
}

/** Runs SQL on the test server over a connection of its own, for set-up and for looking at what a test did. */
export async function runOnServer(database: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  return runSql(postgresUrl(database), sql)
}

/** Creates an embedded database in a folder of its own, removed when the test ends. @returns its URL */
export async function createPglite(t: TestLike, options: DatabaseOptions = {}): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'svc-test-'))
  t.teardown(() => rm(parent, { recursive: true, force: true }))
  const folder = join(parent, 'data')
  if (options.sql === undefined) await copyEmpty(folder)
  else await copyFilled(folder, options.sql, options.extensions ?? [])
  return `pglite:${folder}`
}

/**
 * `npm test` has a folder for what its files share, gone with the run: what is asked for a second time, by this file or
 * another, is made for all, and copied from then on.
 */
async function copyFilled(folder: string, sql: string, extensions: readonly EmbeddedExtension[]): Promise<void> {
  const shared = process.env.SVC_TEST_SHARED
  const name = createHash('sha256').update(sql).digest('hex').slice(0, 16)
  if (shared === undefined || (await isFirst(join(shared, `${name}-asked`)))) return fill(folder, sql, extensions)
  await copyFolder(await madeOnce(join(shared, name), (fresh) => fill(fresh, sql, extensions)), folder)
}

function isFirst(mark: string): Promise<boolean> {
  return mkdir(mark).then(
    () => true,
    () => false,
  )
}

async function fill(folder: string, sql: string, names: readonly EmbeddedExtension[]): Promise<void> {
  await copyEmpty(folder)
  const extensions: Extensions = {}
  if (names.includes('ltree')) extensions.ltree = (await import('@electric-sql/pglite/contrib/ltree')).ltree
  if (names.includes('vector')) extensions.vector = (await import('@electric-sql/pglite-pgvector')).vector
  const database = await PGlite.create(folder, { extensions })
  await database.exec(sql)
  await database.close()
}

/** An initialised, empty data folder: the build has one, and copying it takes a tenth of the time of making one. */
async function copyEmpty(folder: string): Promise<void> {
  const template = await madeOnce(join(tmpdir(), 'svc-test-pglite-template-0.5'), async (fresh) => {
    const built = await findTemplate()
    if (built === null) await (await PGlite.create(fresh)).close()
    else await run('tar', ['-xzf', built, '-C', fresh])
  })
  await copyFolder(template, folder)
}

/** A thousand files: Node's own copying takes a second of the processor for them, the system's a twentieth of that. */
async function copyFolder(from: string, to: string): Promise<void> {
  await run('cp', ['-R', from, to])
}

/** Whoever is first makes the folder; all see it only when it is whole. */
async function madeOnce(path: string, make: (fresh: string) => Promise<void>): Promise<string> {
  if (await exists(path)) return path
  const fresh = await mkdtemp(`${path}-`)
  await make(fresh)
  try {
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    if (!(await exists(path))) throw error
  }
  return path
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Creates an SQLite file in a folder of its own with its scripts, removed when the test ends. */
export async function createSqlite(t: TestLike, options: SqliteOptions): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-sqlite-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const functions = join(folder, 'db/functions')
  await mkdir(functions, { recursive: true })
  for (const [name, text] of Object.entries(options.scripts ?? {})) {
    await writeFile(join(functions, `${name}.sql`), text)
  }
  const { openSqlite } = await import('../../plugins/sqlite/driver.ts')
  const url = `sqlite:${join(folder, 'test.db')}`
  const context = { baseDir: folder, signals: createSignals(), maxResultBytes: 0 }
  const database = await openSqlite({ ...DATABASE_CONFIG, url }, context)
  await database.script(options.sql)
  await database.close()
  return { kind: 'sqlite', url, functions }
}

/** Creates a database of its own on the MariaDB server, dropped when the test ends. */
export async function createMariaDb(
  t: Pick<TestLike, 'teardown'>,
  { sql, collation = 'utf8mb4_bin' }: { readonly sql?: string; readonly collation?: string } = {},
): Promise<TestDatabase> {
  const name = `svc_test_${randomBytes(8).toString('hex')}`
  const { host, port } = SERVICES.mariadb
  const user = process.env.MYSQL_USER ?? 'root'
  const password = process.env.MYSQL_PWD
  const credentials = password === undefined ? user : `${user}:${encodeURIComponent(password)}`
  const url = (database: string): string => `mysql://${credentials}@${host}:${port}/${database}`
  const { runScript } = await import('../../plugins/mysql/run-script.ts')
  const { connectionAttempts } = await import('../../plugins/mysql/connection-options.ts')
  const runIn = (database: string, sql: string): Promise<void> =>
    runScript(connectionAttempts({ ...DATABASE_CONFIG, url: url(database) }), sql)
  await runIn('mysql', `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE ${collation}`)
  t.teardown(() => runIn('mysql', `DROP DATABASE IF EXISTS ${name}`))
  if (sql !== undefined) await runIn(name, sql)
  return { kind: 'mysql', url: url(name) }
}

export interface TestDatabase {
  readonly kind: 'postgres' | 'pglite' | 'sqlite' | 'mysql' | 'plugin'
  readonly url: string
  /** Opens a database whose driver is a plugin of another project (`plugin`). */
  readonly open?: (config: DatabaseConfig) => Promise<Database>
  /** Folder of the scripts that stand in for functions. */
  readonly functions?: string
  /** With which the embedded database is opened. */
  readonly extensions?: readonly string[]
}

export interface EachDatabaseOptions extends DatabaseOptions {
  readonly sqlite?: SqliteOptions
  readonly mysql?: { readonly sql: string }
  /**
   * `nightly`: `.ci/run` leaves the embedded database out, because it has the SQL dialect of PostgreSQL and takes twice
   * the time. Default: `nightly`; `always` for suites about what a database does.
   */
  readonly pglite?: 'always' | 'nightly'
}

/** `.ci/run` sets the variable. Without it, as in `npm test`, all suites run on all their databases. */
const IS_BRIEF = process.env.SVC_TEST_BRIEF === '1'

/**
 * Runs a suite on PostgreSQL and the embedded database, and on SQLite and MariaDB if the options contain their SQL. Each
 * database is new. `SVC_TEST_DATABASES` limits the run to some kinds, as in `postgres,sqlite`.
 *
 *     await eachDatabase(t, async (t, database) => { … database.url … }, { sql: 'CREATE TABLE …' })
 */
export async function eachDatabase(
  t: Pick<TestLike, 'test'>,
  body: (t: TestLike, database: TestDatabase) => Promise<void>,
  options: EachDatabaseOptions = {},
): Promise<void> {
  const { sqlite, mysql, pglite = 'nightly' } = options
  const makers: Partial<Record<TestDatabase['kind'], (t: TestLike) => Promise<TestDatabase | null>>> = {
    postgres: async (t) =>
      (await requireService(t, 'postgres'))
        ? { kind: 'postgres', url: await createPostgresDatabase(t, options) }
        : null,
    ...((pglite === 'always' || !IS_BRIEF) && {
      pglite: async (t) => ({ kind: 'pglite', url: await createPglite(t, options) }),
    }),
    ...(sqlite && { sqlite: (t) => createSqlite(t, sqlite) }),
    ...(mysql && { mysql: async (t) => ((await requireService(t, 'mariadb')) ? createMariaDb(t, mysql) : null) }),
  }
  const chosen = process.env.SVC_TEST_DATABASES?.split(',')
  for (const [kind, make] of Object.entries(makers)) {
    if (chosen !== undefined && !chosen.includes(kind)) continue
    await t.test(kind, async (sub) => {
      const database = await make(sub)
      if (database !== null) await body(sub, database)
    })
  }
}

const DATABASE_CONFIG: Omit<DatabaseConfig, 'url'> = {
  ssl_mode: 'prefer',
  pool_min: 2,
  pool_max: 20,
  connect_timeout_ms: 5000,
  idle_timeout_ms: 600_000,
  prepared_statements: true,
  plan_cache_mode: 'force_generic_plan',
}

export interface OpenOptions {
  readonly config?: Partial<DatabaseConfig>
  /** Hears the signals of the driver. */
  readonly onSignal?: (signal: Signal) => void
}

/** Opens a database through its driver, closed when the test ends. */
export async function openDatabase(t: TestLike, url: string, options: OpenOptions = {}): Promise<Database> {
  const signals = createSignals()
  if (options.onSignal !== undefined) signals.subscribe(options.onSignal)
  const config = { ...DATABASE_CONFIG, ...options.config, url }
  const database = url.startsWith('pglite:')
    ? await (await import('../../plugins/pglite/driver.ts')).openPglite(
        config,
        readDataFolder(url, process.cwd()),
        signals,
      )
    : await (await import('../../plugins/postgres/driver.ts')).openPostgres(config, signals)
  t.teardown(() => database.close())
  return database
}
