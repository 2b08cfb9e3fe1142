import { PGlite } from '@electric-sql/pglite'
import {
  BEGIN,
  BEGIN_READ_ONLY,
  COMMIT,
  type Database,
  type DatabaseConfig,
  PING,
  POSTGRES,
  ROLLBACK,
  readCatalog,
  type Session,
  SvcError,
  sessionSettings,
  type TransactionOptions,
} from '../../core/index.ts'
import type { DataFolder } from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { Listener } from './listener.ts'
import { streamRows } from './stream-rows.ts'
import { abortedError, TurnQueue } from './turn-queue.ts'
import { WireSession } from './wire-session.ts'

/**
 * Opens the embedded database, creating it when the folder has none. It is one session: statements and transactions
 * take turns, and a statement that runs cannot be cancelled.
 * @throws SvcError SVC_DATABASE_UNREACHABLE: the folder is open elsewhere, or cannot be read
 */
export async function openPglite(config: DatabaseConfig, folder: DataFolder): Promise<Database> {
  const unlock = folder === null ? null : await lockFolder(folder)
  let database: PGlite
  try {
    database = await PGlite.create(folder ?? 'memory://')
    await database.exec(
      sessionSettings(config)
        .map(({ name, value }) => `SET ${name} = '${value}';`)
        .join(' '),
    )
  } catch (error) {
    await unlock?.()
    throw new SvcError('SVC_DATABASE_UNREACHABLE', `The embedded database ${folder ?? 'in memory'} cannot be opened.`, {
      cause: error,
    })
  }
  const session = new WireSession(database, config.prepared_statements)
  const turns = new TurnQueue(config.connect_timeout_ms)
  const listener = new Listener(database, session, turns)

  async function runTransaction<T>(work: (session: Session) => Promise<T>, options: TransactionOptions): Promise<T> {
    const cancel = options.cancel ?? null
    const begin = options.readOnly === true ? BEGIN_READ_ONLY : BEGIN
    let begun = false
    let over = false
    const transaction: Session = {
      async query(statement, parameters) {
        if (cancel?.aborted === true) throw abortedError(cancel)
        if (over) throw new SvcError('TRANSACTION_FAILED', 'The transaction is over; its session cannot be used.')
        if (begun) return session.run(statement, parameters, { inTransaction: true })
        begun = true
        return session.run(statement, parameters, { begin, settings: options.settings })
      },
    }
    try {
      const result = await work(transaction)
      over = true
      if (cancel?.aborted === true) throw abortedError(cancel)
      if (!begun) return result
      begun = false
      const { tag } = await session.run(COMMIT, [])
      if (tag === 'COMMIT') return result
      throw new SvcError('TRANSACTION_FAILED', 'A statement of the transaction had failed; nothing was written.')
    } finally {
      over = true
      if (begun) await session.run(ROLLBACK, [])
    }
  }

  return {
    kind: 'pglite',
    dialect: POSTGRES,
    query: (statement, parameters, cancel, settings) =>
      turns.take(() => session.run(statement, parameters, { settings }), cancel),
    transaction: (work, options) => turns.take(() => runTransaction(work, options), options.cancel ?? null),
    stream: (statement, parameters, options) => streamRows(session, turns, statement, parameters, options),
    catalog: (names) => turns.take(() => readCatalog(session.catalogReader(), names), null),
    script: (sql) => turns.take(() => session.script(sql), null),
    async explain(statement, parameters) {
      const explained = { name: null, text: `EXPLAIN (FORMAT JSON) ${statement.text}` }
      const { rows } = await turns.take(() => session.run(explained, parameters), null)
      return rows[0]![0]!
    },
    listen: (channel, onMessage) => listener.listen(channel, onMessage),
    async ping() {
      await turns.take(() => session.run(PING, []), null)
    },
    get pool() {
      const active = turns.busy ? 1 : 0
      return { active, idle: 1 - active, waiting: turns.waiting, connected: !database.closed }
    },
    async close() {
      await turns.close()
      if (!database.closed) await database.close()
      await unlock?.()
    },
  }
}
