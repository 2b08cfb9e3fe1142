import {
  AbortSource,
  abortedError,
  type Cancellable,
  ConnectionLimit,
  type DatabaseConfig,
  type DriverContext,
  Health,
  SessionPool,
  type Setting,
  type StreamOptions,
  type TransactionOptions,
} from '../../core/doors/driver.ts'
import {
  type Database,
  type Parameter,
  type Row,
  type Rows,
  type Statement,
  SvcError,
} from '../../core/doors/plugin.ts'
import { introspect } from './catalog/introspect.ts'
import { readCatalog } from './catalog/read-catalog.ts'
import type { Connection } from './connection.ts'
import { connectionAttempts } from './connection-options.ts'
import { MYSQL, MYSQL_SERVER } from './dialect/dialect.ts'
import { createOpener, ReadOnlyWatch, SideKiller } from './open-connection.ts'
import { toBound, toPositional } from './placeholders.ts'
import { isOutOfConnections, isReadOnlyServer, readFailure, readOnlyServer } from './read-error.ts'
import { runScript } from './run-script.ts'
import { ServerKind } from './server-session.ts'
import { isReadOnlySetting, variablesOf } from './settings.ts'
import { streamRows } from './stream-rows.ts'
import { Transaction } from './transaction.ts'

const PING: Statement = { name: 'svc_ping', text: 'SELECT 1', readOnly: true }
/** Time limit for svc's own queries, such as reads of the catalog, which belong to no request. */
const ASIDE_MS = 30_000

/**
 * Opens a database of a MariaDB or MySQL server. It does not wait for the server.
 * @throws SvcError SVC_CONFIG_INVALID
 */
export async function openMysql(
  config: DatabaseConfig,
  { signals, maxResultBytes = 0 }: Pick<DriverContext, 'signals' | 'maxResultBytes'>,
): Promise<Database> {
  const attempts = connectionAttempts(config)
  const health = new Health(signals)
  // One connection is for killing statements.
  const max = Math.max(1, config.pool_max - 1)
  const limit = new ConnectionLimit({ max, shared: 0, signals })
  const killer = new SideKiller({ attempts, makeRoom: (error) => pool.giveUp(error) })
  const server = new ServerKind(/^mariadb:/i.test(config.url))
  const open = createOpener(attempts, health, killer, (facts) => {
    server.check(facts)
    if (facts.isReadOnly) setImmediate(() => writes.watch())
  })
  const kept = Math.min(max, config.pool_min)
  const pool: SessionPool<Connection> = new SessionPool(
    {
      min: kept,
      initial: kept,
      acquireTimeoutMs: config.connect_timeout_ms,
      idleTimeoutMs: config.idle_timeout_ms,
    },
    limit,
    { open, isRefusal: isOutOfConnections },
    health,
  )
  const prepares = config.prepared_statements

  async function use<T>(cancel: Cancellable | null, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await pool.acquire(cancel)
    try {
      return await work(connection)
    } finally {
      pool.release(connection)
    }
  }

  const writes = new ReadOnlyWatch(health, (work) => use(null, work))

  async function runOnce(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    settings: readonly Setting[],
    onBroken: () => void,
  ): Promise<Rows> {
    const sql = toPositional(statement.text)
    const values = toBound(sql, parameters)
    const variables = variablesOf(settings)
    const reads = statement.readOnly === true
    const readOnly = reads || settings.some(isReadOnlySetting)
    return use(cancel, async (connection) => {
      let isSent = false
      try {
        if (cancel?.aborted === true) throw abortedError(cancel)
        await connection.prepareFor({ readOnly, variables }, cancel)
        isSent = true
        const maxBytes = reads ? maxResultBytes : 0
        return await connection.run(sql, values, { cancel, keep: prepares && statement.name !== null, maxBytes })
      } catch (error) {
        if (connection.broken) onBroken()
        const failure = readFailure(error, isSent && !readOnly)
        if (!isReadOnlyServer(failure)) throw failure
        writes.refused()
        throw readOnlyServer(failure)
      } finally {
        if (statement.resets === true) connection.distrustSession()
      }
    })
  }

  async function query(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    settings: readonly Setting[] = [],
  ): Promise<Rows> {
    // A procedure may have several statements, which the server commits one by one outside of a transaction.
    if (statement.readOnly !== true && toPositional(statement.text).isCall) {
      return inTransaction((session) => session.query(statement, parameters), { cancel, settings })
    }
    let broke = false
    try {
      return await runOnce(statement, parameters, cancel, settings, () => {
        broke = true
      })
    } catch (error) {
      if (!broke || statement.readOnly !== true || cancel?.aborted === true) throw error
      return runOnce(statement, parameters, cancel, settings, () => {})
    }
  }

  async function inTransaction<T>(work: (session: Transaction) => Promise<T>, options: TransactionOptions): Promise<T> {
    const connection = await pool.acquire(options.cancel ?? null)
    const transaction = new Transaction(
      { connection, prepares, release: () => pool.release(connection), onReadOnly: () => writes.refused() },
      options,
    )
    try {
      const result = await work(transaction)
      await transaction.commit()
      return result
    } finally {
      await transaction.rollback()
    }
  }

  async function* stream(
    statement: Statement,
    parameters: readonly Parameter[],
    options: StreamOptions,
  ): AsyncGenerator<readonly Row[]> {
    const sql = toPositional(statement.text)
    const values = toBound(sql, parameters)
    const connection = await pool.acquire(options.cancel)
    try {
      if (options.cancel?.aborted === true) throw abortedError(options.cancel)
      await connection.prepareFor({ readOnly: true, variables: variablesOf(options.settings ?? []) }, options.cancel)
      yield* streamRows(connection, sql, values, options)
    } catch (error) {
      throw readFailure(error)
    } finally {
      if (statement.resets === true) connection.distrustSession()
      pool.release(connection)
    }
  }

  /** Runs a query of the catalog. */
  async function rowsOf(text: string, parameters: readonly (string | null)[] = []): Promise<readonly Row[]> {
    const cancel = new AbortSource()
    const overdue = setTimeout(() => cancel.abort('timeout'), ASIDE_MS)
    try {
      return (await query({ name: null, text, readOnly: true }, parameters, cancel)).rows
    } finally {
      clearTimeout(overdue)
    }
  }

  const isMariaDb = (): Promise<boolean> => use(null, async ({ facts }) => facts.isMariaDb)
  // The server decides the dialect. Without a server, the scheme of the URL does.
  await isMariaDb().then(
    () => killer.warm(),
    () => {},
  )

  return {
    kind: 'mysql',
    dialect: server.isMariaDb ? MYSQL : MYSQL_SERVER,
    takesComments: true,
    query,
    transaction: inTransaction,
    stream,
    catalog: async (names) => readCatalog(rowsOf, names, await isMariaDb()),
    introspect: async () => introspect(rowsOf, await isMariaDb()),
    script: (sql) => runScript(attempts, sql),
    async explain(statement, parameters, settings) {
      const text = `EXPLAIN FORMAT=JSON ${statement.text}`
      const { rows } = await query({ name: null, text, readOnly: true }, parameters, null, settings)
      const plan = rows[0]?.[0]
      if (plan === undefined || plan === null) throw new SvcError('DATABASE_ERROR', 'The database gave no plan.')
      return plan
    },
    async ping() {
      await query(PING, [], null)
    },
    get pool() {
      return {
        active: pool.active,
        idle: pool.idle,
        waiting: pool.waiting,
        connected: health.connected,
        ...(limit.granted === undefined ? {} : { granted: limit.granted }),
        ...(health.isReadOnly ? { readOnly: true as const } : {}),
      }
    },
    async close() {
      writes.close()
      await pool.close()
      killer.close()
    },
  }
}
