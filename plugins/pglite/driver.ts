import {
  type DatabaseConfig,
  mayChangeSession,
  PING,
  POSTGRES,
  RoleSettings,
  readCatalog,
  readDatabaseModel,
  type Setting,
  sessionSettings,
} from '../../core/doors/driver.ts'
import {
  type Database,
  importPackages,
  isPromise,
  type Signals,
  type Statement,
  SvcError,
} from '../../core/doors/plugin.ts'
import { type DataFolder, dataFolderExists } from './engine/data-folder.ts'
import { Engine } from './engine/engine.ts'
import { lockFolder } from './folder-lock.ts'
import { VECTOR_PACKAGE } from './packages.ts'
import { failCommit, runTransaction, streamRows } from './transaction.ts'
import { TurnQueue } from './turn-queue.ts'
import { WireSession } from './wire-session.ts'

/**
 * Opens the embedded PostgreSQL database (PGlite), and creates it in an empty folder. It has a single session, so
 * statements and transactions run one after another and cannot be cancelled. If the engine breaks, it is opened again.
 * @param extensions names of PostgreSQL extensions that SQL scripts may create
 * @throws SvcError SVC_DATABASE_UNREACHABLE when another process has the folder open or it cannot be read;
 * SVC_PACKAGE_MISSING when the package of an extension is not installed
 */
export async function openPglite(
  config: DatabaseConfig,
  folder: DataFolder,
  signals: Signals,
  extensions: readonly string[] = [],
): Promise<Database> {
  if (extensions.includes('vector')) {
    await importPackages('pglite', VECTOR_PACKAGE, () => import('@electric-sql/pglite-pgvector'))
  }
  const unlock = folder === null ? null : await lockFolder(folder)
  const refuse = async (cause: unknown): Promise<never> => {
    await unlock?.()
    const message = `The embedded database ${folder ?? 'in memory'} cannot be opened.`
    throw new SvcError('SVC_DATABASE_UNREACHABLE', message, { cause })
  }
  const engine = await Engine.open({ folder, extensions }, await dataFolderExists(folder), {
    onDown: (error) => signals.emit({ type: 'database-down', error }),
    onUp: () => signals.emit({ type: 'database-up' }),
  }).catch(refuse)
  const turns = new TurnQueue(config.connect_timeout_ms)
  const isGeneric = config.plan_cache_mode === 'force_generic_plan'
  const session = new WireSession({
    engine,
    usesPrepared: config.prepared_statements,
    isGeneric,
    resets: sessionResets(sessionSettings(config)),
    setUp: () => listener.resume(),
    onNotification: (channel, payload) => listener.notify(channel, payload),
  })
  const listener = new Listener(session, turns)
  await session.begin().catch(async (error: unknown) => {
    await engine.close()
    return refuse(error)
  })

  const roles = new RoleSettings((statement) => turns.take(() => session.run(statement, []), null))

  return {
    kind: 'pglite',
    dialect: POSTGRES,
    query(statement, parameters, cancel, given) {
      const reset = mayChangeSession(statement)
      const settings = roles.with(given)
      const run = (known: typeof given) => session.run(statement, parameters, { settings: known, reset })
      const commit = (known: typeof given) => run(known).catch(failCommit)
      const work = statement.readOnly === true ? run : commit
      const take = (known: typeof given) => turns.take(() => work(known), cancel)
      // Synchronous if possible, so that statements queue in the order of the calls.
      return isPromise(settings) ? settings.then(take) : take(settings)
    },
    transaction(work, options) {
      const settings = roles.with(options.settings)
      const take = (known: typeof options.settings) =>
        turns.take(() => runTransaction(engine, session, work, { ...options, settings: known }), options.cancel ?? null)
      return isPromise(settings) ? settings.then(take) : take(settings)
    },
    stream: (statement, parameters, options) => streamRows(session, turns, statement, parameters, options, roles),
    catalog: (names, model) => turns.take(() => readCatalog(session.catalogReader(), names, model), null),
    introspect: () => turns.take(() => readDatabaseModel(session.catalogReader()), null),
    script: (sql) => turns.take(() => session.script(sql), null),
    async explain(statement, parameters, settings) {
      const explained = { name: null, text: `EXPLAIN (FORMAT JSON) ${statement.text}` }
      const { rows } = await turns.take(() => session.run(explained, parameters, { settings }), null)
      return rows[0]![0]!
    },
    planning: ({ selective }) => (selective === true && isGeneric ? 'values' : null),
    listen: (channel, onMessage) => listener.listen(channel, onMessage),
    async ping() {
      await turns.take(() => session.run(PING, []), null)
    },
    get pool() {
      const active = turns.busy ? 1 : 0
      return { active, idle: 1 - active, waiting: turns.waiting, connected: engine.isUp }
    },
    async close() {
      await turns.close()
      await engine.close()
      await unlock?.()
    },
  }
}

/** Statements that reset the session. RESET ALL does not reset role and user; settings return to the initial values of the engine. */
function sessionResets(settings: readonly Setting[]): readonly Statement[] {
  const own = settings.map(({ name, value }) => `set_config('${name}', '${value}', false)`)
  return [
    // RESET has no session user to return to, because the engine has no login.
    { name: 'svc_reset_user', text: 'SET SESSION AUTHORIZATION postgres' },
    { name: 'svc_reset_role', text: 'RESET ROLE' },
    { name: 'svc_reset_all', text: 'RESET ALL' },
    { name: 'svc_session', text: `SELECT ${own.join(', ')}` },
  ]
}

type Listen = (payload: string) => void

/** LISTEN in the one session, with any number of listeners per channel. */
class Listener {
  readonly #session: WireSession
  readonly #turns: TurnQueue
  readonly #channels = new Map<string, Set<Listen>>()

  constructor(session: WireSession, turns: TurnQueue) {
    this.#session = session
    this.#turns = turns
  }

  /** The SQL that a new session starts with, so that listening goes on when the engine is opened again. */
  resume(): string {
    return [...this.#channels.keys()].map((channel) => `LISTEN ${quote(channel)};`).join(' ')
  }

  notify(channel: string, payload: string): void {
    for (const listener of this.#channels.get(channel) ?? []) listener(payload)
  }

  /** @returns a function that stops this listener */
  async listen(channel: string, onMessage: Listen): Promise<() => Promise<void>> {
    const listeners = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, listeners)
    listeners.add(onMessage)
    await this.#run(`LISTEN ${quote(channel)}`)
    return async () => {
      listeners.delete(onMessage)
      if (listeners.size > 0 || this.#turns.closing) return
      this.#channels.delete(channel)
      await this.#run(`UNLISTEN ${quote(channel)}`)
    }
  }

  async #run(text: string): Promise<void> {
    await this.#turns.take(() => this.#session.run({ name: null, text }, []), null)
  }
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
