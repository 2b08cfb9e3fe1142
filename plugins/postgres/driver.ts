import {
  abortedError,
  ConnectionLimit,
  type DatabaseConfig,
  Health,
  hasSessionSetters,
  PING,
  POSTGRES,
  RoleSettings,
  readCatalog,
  readDatabaseModel,
  SessionPool,
  type TransactionOptions,
  unavailable,
} from '../../core/doors/driver.ts'
import { type Database, isPromise, type Signals, type Statement, SvcError } from '../../core/doors/plugin.ts'
import { Dispatcher } from './schedule/dispatcher.ts'
import { Lanes } from './schedule/lanes.ts'
import { planShape } from './schedule/plan-shape.ts'
import { cancelledInTime } from './session/cancelled-in-time.ts'
import { catalogReader } from './session/catalog-reader.ts'
import { explainPrepared } from './session/explain-prepared.ts'
import { SessionSetters } from './session/session-setters.ts'
import { streamRows } from './session/stream-rows.ts'
import { Transaction } from './session/transaction.ts'
import type { Connection } from './wire/connection.ts'
import { connectionAttempts } from './wire/connection-options.ts'
import { isOutOfConnections, toDriverFailure } from './wire/driver-errors.ts'
import { Listener } from './wire/listener.ts'
import { createOpener } from './wire/open-connection.ts'
import { SCRIPT_END } from './wire/session-reset.ts'

/** Most lanes of all workers together: more lanes make batches smaller, and processes of the server wait for processors. */
const MAX_LANES = 4
/** With one, a single slow statement would hold up all others of its worker. */
const MIN_LANES = 2

interface OpenOptions {
  /** Limit on the result of a read; 0 = no limit. */
  readonly maxResultBytes?: number | undefined
  readonly workers?: number | undefined
}

/**
 * Opens a PostgreSQL database: a few shared connections for small statements, and the rest of `pool_max` for
 * transactions, streams and slow statements. It does not wait for the server.
 * @throws SvcError SVC_CONFIG_INVALID
 */
export async function openPostgres(
  config: DatabaseConfig,
  signals: Signals,
  { maxResultBytes = 0, workers = 1 }: OpenOptions = {},
): Promise<Database> {
  const attempts = connectionAttempts(config)
  const mode = { on: config.prepared_statements }
  const health = new Health(signals)
  const { open, letGoOfAll } = createOpener({ attempts, health, mode, maxResultBytes })
  const laneCount = Math.min(Math.max(MIN_LANES, Math.ceil(MAX_LANES / workers)), Math.floor(config.pool_max / 2))
  const limit = new ConnectionLimit({ max: config.pool_max, shared: laneCount, signals })
  const pool = new SessionPool(
    {
      min: Math.min(config.pool_max, Math.max(config.pool_min, laneCount)),
      initial: Math.min(config.pool_max, Math.max(0, config.pool_min - laneCount)),
      acquireTimeoutMs: config.connect_timeout_ms,
      idleTimeoutMs: config.idle_timeout_ms,
    },
    limit,
    { open, isRefusal: isOutOfConnections },
    health,
  )
  const isGeneric = config.plan_cache_mode === 'force_generic_plan'
  const lanes = new Lanes(laneCount, config.connect_timeout_ms, pool)
  const setters = new SessionSetters({ read: readSetters, onFound: letGoOfAll })
  const dispatcher: Dispatcher = new Dispatcher(lanes, pool, health, mode, signals, {
    waitTimeoutMs: config.connect_timeout_ms,
    plans: { isGeneric, compare: comparePlans },
    setters,
  })
  const listener = new Listener(() =>
    open().catch(async (error: unknown) => {
      if (!isOutOfConnections(error) || !(await pool.giveUp(error))) throw error
      return open()
    }),
  )

  const roles = new RoleSettings((statement) => dispatcher.run(statement, [], null, undefined))

  async function begin(options: TransactionOptions): Promise<Transaction> {
    if (dispatcher.closing) throw unavailable('The service is closing.')
    if (health.failure !== null && laneCount > 0) throw unavailable('The database cannot be reached.', health.failure)
    const cancel = options.cancel ?? null
    const found = roles.with(options.settings)
    const settings = isPromise(found) ? await found : found
    const connection = await pool.acquire(cancel)
    // No abort listener was registered while the connection was opened.
    if (cancel?.aborted === true) {
      pool.release(connection)
      throw abortedError(cancel)
    }
    return new Transaction(
      connection,
      pool,
      { ...options, settings },
      (error) => dispatcher.notePooler(error),
      (statement) => dispatcher.planningOf(statement),
    )
  }

  /** Does the statement use a generic plan, which the server made without its values? */
  function isPlannedOnce(statement: Statement): boolean {
    return isGeneric && mode.on && statement.name !== null && dispatcher.planningOf(statement) !== 'values'
  }

  async function explainGeneric(...[{ text }, parameters, settings]: Parameters<Database['explain']>) {
    return cancelledInTime(async (cancel) => {
      const transaction = await begin({ readOnly: true, settings, cancel })
      try {
        return await explainPrepared(transaction, text, parameters)
      } finally {
        await transaction.rollback()
      }
    })
  }

  async function explainWithValues(...[{ text }, parameters, settings]: Parameters<Database['explain']>) {
    const statement = { name: null, text: `EXPLAIN (FORMAT JSON) ${text}`, readOnly: true }
    const all = await roles.with(settings)
    return cancelledInTime(async (cancel) => (await dispatcher.run(statement, parameters, cancel, all)).rows[0]?.[0])
  }

  /** Do the generic plan and the plan for the values have the same shape? */
  async function comparePlans(...asked: Parameters<Database['explain']>): Promise<boolean> {
    const [generic, own] = [await explainGeneric(...asked), await explainWithValues(...asked)]
    return planShape(generic ?? '') === planShape(own ?? '')
  }

  function readSetters(): Promise<boolean> {
    return cancelledInTime((cancel) =>
      hasSessionSetters({
        query: async (text, parameters) =>
          (await dispatcher.run({ name: null, text, readOnly: true }, parameters, cancel, undefined)).rows,
      }),
    )
  }

  async function onSession<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await pool.acquire(null)
    try {
      return await work(connection)
    } catch (error) {
      throw toDriverFailure(error)
    } finally {
      pool.release(connection)
    }
  }

  return {
    kind: 'postgres',
    dialect: POSTGRES,
    takesComments: true,
    query(statement, parameters, cancel, settings) {
      const all = roles.with(settings)
      if (!isPromise(all)) return dispatcher.run(statement, parameters, cancel, all)
      return all.then((known) => dispatcher.run(statement, parameters, cancel, known))
    },
    readRow(statement, parameters, cancel, take, settings) {
      const all = roles.with(settings)
      if (!isPromise(all)) return dispatcher.readRow(statement, parameters, cancel, take, all)
      return all.then((known) => dispatcher.readRow(statement, parameters, cancel, take, known))
    },
    async transaction(work, options) {
      const transaction = await begin(options)
      try {
        const result = await work(transaction)
        await transaction.commit()
        return result
      } finally {
        await transaction.rollback()
      }
    },
    stream: (statement, parameters, options) =>
      streamRows(
        () => begin({ readOnly: true, cancel: options.cancel, settings: options.settings }),
        statement,
        parameters,
        options,
      ),
    catalog: (names, model) => onSession((connection) => readCatalog(catalogReader(connection), names, model)),
    introspect: () => onSession((connection) => readDatabaseModel(catalogReader(connection))),
    script: (sql) =>
      onSession(async (connection) => {
        try {
          await connection.client.query(sql)
        } finally {
          // The next user of the connection must not get settings or an open transaction of the script.
          await connection.client.query(SCRIPT_END).catch(() => connection.destroy())
        }
      }),
    async explain(statement, parameters, settings) {
      const plan = await (isPlannedOnce(statement) ? explainGeneric : explainWithValues)(
        statement,
        parameters,
        settings,
      )
      if (plan === undefined || plan === null) throw new SvcError('DATABASE_ERROR', 'The database gave no plan.')
      return plan
    },
    planning: (statement) => dispatcher.planningOf(statement),
    listen: (channel, onMessage, onGap) => listener.listen(channel, onMessage, onGap),
    async ping() {
      await dispatcher.run(PING, [], null, undefined)
    },
    get pool() {
      const busy = lanes.connections.filter((connection) => connection.inFlight > 0).length
      return {
        active: busy + pool.active,
        idle: lanes.connections.length - busy + pool.idle,
        waiting: pool.waiting + dispatcher.waiting,
        connected: health.connected,
        ...(limit.granted === undefined ? {} : { granted: limit.granted }),
        ...(health.isReadOnly ? { readOnly: true as const } : {}),
      }
    },
    async close() {
      setters.close()
      await dispatcher.close()
      await Promise.all([lanes.close(), pool.close(), listener.close()])
    },
  }
}
