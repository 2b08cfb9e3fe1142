import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import {
  type Cancellable,
  type DatabaseConfig,
  type DriverContext,
  type Setting,
  unknownOutcome,
} from '../../core/doors/driver.ts'
import {
  type Database,
  importPackages,
  type Parameter,
  type Rows,
  type Signals,
  type Statement,
  SvcError,
} from '../../core/doors/plugin.ts'
import { readCatalog } from './catalog.ts'
import { ChildConnection } from './child-connection.ts'
import { ConnectionPool } from './connection-pool.ts'
import { readDatabaseFile } from './database-file.ts'
import { SQLITE } from './dialect/dialect.ts'
import { introspect } from './introspect.ts'
import { WASM_PACKAGE } from './packages.ts'
import { toBound } from './parameters.ts'
import { streamFromSpool } from './spool-rows.ts'
import { streamFromCursor } from './stream-rows.ts'
import { runTransaction } from './transaction.ts'

const PING: Statement = { name: 'svc_ping', text: 'SELECT 1', readOnly: true }
/** Number of readers. More readers than cores would only take turns. */
const READERS = Math.max(2, availableParallelism())

/**
 * Opens a SQLite database, and creates its file if needed. It has one connection for writing and several for reading.
 * The WebAssembly build has only one for both.
 * @param library library to use instead of the automatic choice, for tests
 * @throws SvcError SVC_PACKAGE_MISSING when there is no library, SVC_DATABASE_UNREACHABLE when the file cannot be opened
 */
export async function openSqlite(
  config: DatabaseConfig,
  { baseDir, signals, maxResultBytes = 0, readOnly = false }: DriverContext,
  library?: LibraryName,
): Promise<Database> {
  const named = readDatabaseFile(config.url, baseDir)
  const wasm = await chooseLibrary(baseDir, library)
  const temporary = named === null ? await mkdtemp(join(tmpdir(), 'svc-sqlite-')) : null
  const file = named ?? join(temporary!, 'memory.db')
  const functions = resolve(baseDir, config.functions ?? 'db/functions')
  const shared = { file, wasm, functions, keepsMode: readOnly, busyMs: config.connect_timeout_ms }
  const health = new Health(signals)
  const open = (reads: boolean) => () =>
    health.watch(ChildConnection.open({ ...shared, reads }, maxResultBytes), (connection) => connection.ended)

  const limits = { acquireTimeoutMs: config.connect_timeout_ms, idleTimeoutMs: config.idle_timeout_ms }
  const readerCount = wasm === null ? Math.min(config.pool_max - 1, READERS) : 0
  const writers = new ConnectionPool({ ...limits, min: 1, max: 1 }, open(false))
  const readers =
    readerCount === 0
      ? writers
      : new ConnectionPool(
          { ...limits, min: Math.min(readerCount, Math.max(0, config.pool_min - 1)), max: readerCount },
          open(true),
        )

  try {
    await mkdir(dirname(file), { recursive: true })
    await writers.openFirst()
  } catch (error) {
    await writers.close()
    if (temporary !== null) await rm(temporary, { recursive: true, force: true })
    const reason = error instanceof Error ? ` ${error.message}` : ''
    throw new SvcError('SVC_DATABASE_UNREACHABLE', `The database file ${file} cannot be opened:${reason}`, {
      cause: error,
    })
  }
  if (readers !== writers) readers.fill()

  async function use<T>(
    pool: ConnectionPool,
    cancel: Cancellable | null,
    work: (connection: ChildConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await pool.acquire(cancel)
    try {
      return await work(connection)
    } finally {
      pool.release(connection)
    }
  }

  async function query(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    settings: readonly Setting[] = [],
  ): Promise<Rows> {
    const isRead = statement.readOnly === true || settings.some(isReadOnlySetting)
    const name = config.prepared_statements ? statement.name : null
    const request = {
      op: 'run',
      name,
      text: statement.text,
      parameters: toBound(parameters),
      readOnly: isRead,
      begin: null,
      settings,
      maxBytes: statement.readOnly === true ? maxResultBytes : 0,
    } as const
    const pool = isRead ? readers : writers
    let broke = false
    const run = async (connection: ChildConnection): Promise<Rows> => {
      try {
        return await connection.request(request, cancel)
      } catch (error) {
        broke = connection.broken
        throw error
      }
    }
    try {
      return await use(pool, cancel, run)
    } catch (error) {
      if (!broke || cancel?.aborted === true) throw error
      if (statement.readOnly !== true) throw isRead ? error : unknownOutcome(error)
      return use(pool, cancel, run)
    }
  }

  return {
    kind: 'sqlite',
    dialect: SQLITE,
    query,
    async transaction(work, options) {
      const pool = options.readOnly === true ? readers : writers
      const connection = await pool.acquire(options.cancel ?? null)
      return runTransaction(connection, work, options, () => pool.release(connection))
    },
    stream: (statement, parameters, options) =>
      (readers === writers ? streamFromSpool : streamFromCursor)(readers, statement, parameters, options),
    catalog: (names) => use(readers, null, (connection) => readCatalog(connection, names, functions)),
    introspect: () => use(readers, null, introspect),
    async script(sql) {
      await use(writers, null, (connection) => connection.request({ op: 'script', sql }))
    },
    async explain(statement, parameters, settings) {
      const text = `EXPLAIN QUERY PLAN ${statement.text}`
      const { rows } = await query({ name: null, text, readOnly: true }, parameters, null, settings)
      return JSON.stringify(rows.map(([id, parent, , detail]) => ({ id: Number(id), parent: Number(parent), detail })))
    },
    async ping() {
      await query(PING, [], null)
    },
    get pool() {
      const pools = readers === writers ? [writers] : [writers, readers]
      const sum = (count: (pool: ConnectionPool) => number): number => pools.reduce((all, pool) => all + count(pool), 0)
      return {
        active: sum((pool) => pool.active),
        idle: sum((pool) => pool.idle),
        waiting: sum((pool) => pool.waiting),
        connected: pools.some((pool) => pool.connected),
      }
    },
    async close() {
      // The writer is closed last, because only the writer can checkpoint the write-ahead log.
      if (readers !== writers) await readers.close()
      await writers.close()
      if (temporary !== null) await rm(temporary, { recursive: true, force: true })
    },
  }
}

function isReadOnlySetting({ name, value }: Setting): boolean {
  return name === 'transaction_read_only' && value === 'on'
}

export type LibraryName = 'node' | 'wasm'

/**
 * Chooses the SQLite library: that of Node.js if it returns rows as arrays, else the package `node-sqlite3-wasm`.
 * @param baseDir folder of svc.toml, where the package may be installed
 * @param places files from which the package is resolved
 * @returns the main file of the package; `null`: the library of Node.js
 * @throws SvcError SVC_PACKAGE_MISSING when there is neither
 */
export async function chooseLibrary(
  baseDir: string,
  wanted: LibraryName = bestLibrary(),
  places: readonly string[] = [import.meta.url, join(baseDir, 'svc.toml')],
): Promise<string | null> {
  if (wanted === 'node') return null
  return importPackages('sqlite', WASM_PACKAGE, async () => {
    let failure: unknown
    for (const from of places) {
      try {
        return createRequire(from).resolve('node-sqlite3-wasm')
      } catch (error) {
        failure = error
      }
    }
    throw failure
  })
}

export function bestLibrary(version: string = process.versions.node): LibraryName {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 16) ? 'node' : 'wasm'
}

/** Signals once when the file can no longer be opened, and once when it can again. */
class Health {
  readonly #signals: Signals
  #live = 0
  #isDown = false

  constructor(signals: Signals) {
    this.#signals = signals
  }

  /** @param endOf settles when the opened connection is gone */
  async watch<T>(opening: Promise<T>, endOf: (opened: T) => Promise<void>): Promise<T> {
    try {
      const opened = await opening
      this.#live++
      void endOf(opened).then(() => this.#live--)
      if (this.#isDown) this.#signals.emit({ type: 'database-up' })
      this.#isDown = false
      return opened
    } catch (error) {
      if (this.#live === 0 && !this.#isDown) {
        this.#isDown = true
        this.#signals.emit({ type: 'database-down', error })
      }
      throw error
    }
  }
}
