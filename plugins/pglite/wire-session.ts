import { protocol } from '@electric-sql/pglite'
import {
  type CatalogReader,
  encodeParameters,
  PLAN_WITH_VALUES,
  type Setting,
  settingsParameters,
  settingsStatement,
} from '../../core/doors/driver.ts'
import { type Parameter, type Statement, SvcError } from '../../core/doors/plugin.ts'
import type { Engine } from './engine/engine.ts'
import {
  type FieldMessage,
  isStalePlan,
  type NotificationMessage,
  type Outcome,
  readAnswer,
  readOutcome,
  type ServerMessage,
} from './wire-messages.ts'

const { serialize } = protocol
const PREPARED_LIMIT = 256
const COPY_FROM_STDIN = /\bCOPY\s[^;]*\bFROM\s+STDIN\b/i

export interface RunOptions {
  readonly begin?: Statement | undefined
  readonly settings?: readonly Setting[] | undefined
  /** `true` if the transaction has already run a statement, so that it cannot be started again. */
  readonly inTransaction?: boolean
  /**
   * `true`: reset the session settings after the statement, because the embedded engine does not report which ones
   * changed.
   */
  readonly reset?: boolean
}

export interface SessionParts {
  readonly engine: Engine
  readonly usesPrepared: boolean
  /**
   * `true` if the session uses generic plans (`plan_cache_mode`). A statement whose best plan depends on its values is
   * then planned for these.
   */
  readonly isGeneric: boolean
  /** Statements that reset the settings of the session. */
  readonly resets: readonly Statement[]
  /** Returns the SQL that sets up a new session, in addition to `resets`. */
  readonly setUp: () => string
  readonly onNotification: (channel: string, payload: string) => void
}

/**
 * Speaks the PostgreSQL protocol with the embedded database. Values are texts in both directions, as from a server,
 * while PGlite's own `query` would convert them.
 */
export class WireSession {
  readonly #engine: Engine
  readonly #parts: SessionParts
  /** Names of prepared statements, oldest first. */
  readonly #prepared = new Set<string>()
  #generation = -1
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: SessionParts) {
    this.#engine = parts.engine
    this.#parts = parts
  }

  /** Initialises the session again when the engine has been replaced. */
  async begin(): Promise<void> {
    await this.#engine.ready()
    const { generation } = this.#engine
    if (this.#generation === generation) return
    this.#prepared.clear()
    const setUp = this.#parts.setUp()
    await this.#exchange([...this.#resets(), ...(setUp === '' ? [] : [serialize.query(setUp)])])
    this.#generation = generation
  }

  /** @throws the server's error; SvcError DATABASE_ERROR when the engine broke */
  async run(statement: Statement, parameters: readonly Parameter[], options: RunOptions = {}): Promise<Outcome> {
    if (statement.text.includes('\0')) throw new TypeError('A statement cannot contain the character NUL')
    await this.begin()
    const fresh: string[] = []
    const messages: Uint8Array[] = []
    let prologue = 0
    if (options.begin !== undefined) {
      prologue++
      this.#write(messages, fresh, options.begin, [])
      messages.push(serialize.execute({}))
    }
    if (options.settings !== undefined && options.settings.length > 0) {
      prologue++
      this.#write(messages, fresh, settingsStatement(options.settings.length), settingsParameters(options.settings))
      messages.push(serialize.execute({}))
    }
    if (statement.selective === true && this.#parts.isGeneric) {
      prologue++
      this.#write(messages, fresh, PLAN_WITH_VALUES, [])
      messages.push(serialize.execute({}))
    }
    this.#write(messages, fresh, statement, encodeParameters(parameters))
    if (statement.name === null) messages.push(serialize.describe({ type: 'P' }))
    messages.push(serialize.execute({}), serialize.sync())
    // After the end of the transaction, since deferred triggers still need its settings.
    if (options.reset === true) messages.push(...this.#resets())
    try {
      const outcome = readOutcome(await this.#exchange(messages, prologue), prologue)
      if (outcome === null) throw await this.#engine.distrust('the engine left a command without its completion')
      return outcome
    } catch (error) {
      for (const name of fresh) this.#prepared.delete(name)
      if (!isStalePlan(error, statement) || !this.#prepared.delete(statement.name!)) throw error
      if (options.inTransaction === true) throw error
      // The view or function of the statement has changed. Preparing again may help, and no statement ran before it.
      if (options.begin !== undefined) await this.#exchange([serialize.query('ROLLBACK')])
      return this.run(statement, parameters, options)
    }
  }

  #write(messages: Uint8Array[], fresh: string[], { name, text }: Statement, values: readonly (string | null)[]): void {
    let statement = ''
    if (name === null || !this.#parts.usesPrepared) {
      messages.push(serialize.parse({ text }))
    } else {
      statement = name
      if (!this.#prepared.has(name)) {
        messages.push(...this.#makeRoom(), serialize.close({ type: 'S', name }), serialize.parse({ name, text }))
        this.#prepared.add(name)
        fresh.push(name)
      }
    }
    messages.push(serialize.bind({ statement, values: values as (string | null)[] }))
  }

  #makeRoom(): Uint8Array[] {
    if (this.#prepared.size < PREPARED_LIMIT) return []
    const [oldest] = this.#prepared
    this.#prepared.delete(oldest!)
    return [serialize.close({ type: 'S', name: oldest! })]
  }

  #resets(): Uint8Array[] {
    const messages: Uint8Array[] = []
    for (const statement of this.#parts.resets) {
      this.#write(messages, [], statement, [])
      messages.push(serialize.execute({}))
    }
    messages.push(serialize.sync())
    return messages
  }

  /**
   * Exchanges messages, one exchange at a time: the engine would mix up the answers of two.
   * @param prologue number of commands before the statement that set what it sees
   */
  #exchange(messages: readonly Uint8Array[], prologue = 0): Promise<readonly ServerMessage[]> {
    const exchange = this.#last.then(() => this.#send(messages, prologue))
    this.#last = exchange.catch(() => {})
    return exchange
  }

  async #send(messages: readonly Uint8Array[], prologue: number): Promise<readonly ServerMessage[]> {
    const answer = await this.#engine.exchange(Buffer.concat(messages))
    return readAnswer(answer, prologue, (notification) => this.#notify(notification))
  }

  #notify({ channel, payload }: NotificationMessage): void {
    // Run after the caller of this exchange has continued.
    setImmediate(() => this.#parts.onNotification(channel, payload))
  }

  /**
   * Runs several statements in one text.
   * @throws SvcError DATABASE_ERROR for COPY FROM STDIN, which the engine cannot run, and for a transaction left open
   */
  async script(sql: string): Promise<void> {
    if (COPY_FROM_STDIN.test(sql)) {
      throw new SvcError(
        'DATABASE_ERROR',
        'The embedded database cannot run COPY … FROM STDIN. Write INSERT statements (pg_dump --inserts does).',
      )
    }
    await this.begin()
    let isOver = false
    try {
      isOver = (await this.#exchange([serialize.query(sql)])).at(-1)?.status === 'I'
    } finally {
      // A new engine has none of the old session.
      if (this.#generation === this.#engine.generation) {
        if (!isOver) await this.#exchange([serialize.query('ROLLBACK')])
        await this.#exchange(this.#resets())
      }
    }
    if (isOver) return
    throw new SvcError('DATABASE_ERROR', 'The script begins a transaction that it does not end: COMMIT is missing.')
  }

  catalogReader(): CatalogReader {
    return {
      query: async (text, parameters) => (await this.run({ name: null, text }, parameters)).rows,
      describe: async (text) => {
        try {
          const messages = [serialize.parse({ text }), serialize.describe({ type: 'S' }), serialize.sync()]
          const description = (await this.#exchange(messages)).find((message) => message.name === 'rowDescription')
          const fields = (description?.fields ?? []) as unknown as readonly FieldMessage[]
          return fields.map((field) => ({ relation: field.tableID, attribute: field.columnID }))
        } catch {
          return null
        }
      },
    }
  }
}
