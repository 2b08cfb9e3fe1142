import { stateOf, type WriteOnce } from '../../../core/doors/front.ts'
import { type Database, makeTable, type Scope, SvcError } from '../../../core/doors/plugin.ts'
import { IDEMPOTENCY_TABLE } from './table.ts'

const SWEEP_MS = 60_000

/** Stores idempotency keys in the database that their requests write to, in the same transaction. */
export class WriteKeys {
  readonly #scope: Pick<Scope, 'process' | 'signals' | 'plugin'>
  readonly #mayMake: boolean
  readonly #ttlMs: number
  readonly #maxAnswerBytes: number
  readonly #ready = new Map<string, Promise<void>>()
  readonly #sweptAt = new Map<string, number>()

  constructor(scope: Pick<Scope, 'process' | 'signals' | 'plugin' | 'config'>, ttlMs: number, maxAnswerBytes: number) {
    this.#scope = scope
    this.#mayMake = scope.config.svc.create_tables
    this.#ttlMs = ttlMs
    this.#maxAnswerBytes = maxAnswerBytes
  }

  /**
   * Resolves when the database has the table.
   * @param name name of the database; default: `[database]`
   * @throws SvcError SERVICE_UNAVAILABLE; NOT_IMPLEMENTED: the table is missing and cannot be created
   */
  async ready(name = 'default'): Promise<void> {
    let ready = this.#ready.get(name)
    if (ready === undefined) {
      ready = this.#prepare(name)
      this.#ready.set(name, ready)
      ready.catch(() => this.#ready.delete(name))
    }
    await ready
    this.#sweep(name)
  }

  once(key: string, fingerprint: string, found: WriteOnce['found']): WriteOnce {
    const [ttlMs, maxAnswerBytes] = [this.#ttlMs, this.#maxAnswerBytes]
    return { table: IDEMPOTENCY_TABLE.name, key, fingerprint, ttlMs, maxAnswerBytes, found }
  }

  #database(name: string): Database {
    return this.#scope.process.databases().get(name)!
  }

  async #prepare(name: string): Promise<void> {
    const database = this.#database(name)
    try {
      if (this.#mayMake) await makeTable(database, IDEMPOTENCY_TABLE)
      else {
        const { missing, unfit } = await stateOf(database, IDEMPOTENCY_TABLE)
        if (unfit !== null) throw new SvcError('SVC_TABLE_MISSING', unfit)
        if (missing.length > 0) throw new Error('svc.create_tables is false')
      }
    } catch (error) {
      if (error instanceof SvcError && error.code === 'SERVICE_UNAVAILABLE') throw error
      const place = name === 'default' ? '' : ` of the database "${name}"`
      const { message } = error as Error
      const isThere = error instanceof SvcError && error.code === 'SVC_TABLE_MISSING'
      const why = isThere
        ? `the table ${IDEMPOTENCY_TABLE.name}${place} is of another form. ${message}`
        : `the table ${IDEMPOTENCY_TABLE.name}${place} is missing and cannot be created (${message}). Run \`svc tables --apply\` with a database URL that may create tables, or give the output of \`svc tables\` to an administrator.`
      this.#scope.signals.emit({
        type: 'warning',
        plugin: this.#scope.plugin,
        message: `Requests with an Idempotency-Key are refused: ${why}`,
      })
      throw new SvcError(
        'NOT_IMPLEMENTED',
        'Idempotency-Key is not available: the database has no table for the keys (`svc tables`).',
        { cause: error },
      )
    }
  }

  /** Deletes expired keys in the background. */
  #sweep(name: string): void {
    const now = Date.now()
    if (now - (this.#sweptAt.get(name) ?? 0) < SWEEP_MS) return
    this.#sweptAt.set(name, now)
    const database = this.#database(name)
    const { sweep } = database.dialect.writeKeys(IDEMPOTENCY_TABLE.name)
    // The next request with a key tries again.
    database.query(sweep, [String(now)], null).catch(() => this.#sweptAt.delete(name))
  }
}
