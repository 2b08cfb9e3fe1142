import type { CommittedWrite } from '../contract/committed-write.ts'
import type { Session } from '../contract/database.ts'
import type { Operation } from '../contract/operation.ts'
import type { Parameter, Statement } from '../contract/statement.ts'
import type { WriteKeyStatements, WriteOnce } from '../contract/write-once.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { committedOutcome } from '../errors/committed-outcome.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { ExecuteContext } from './context.ts'
import { writeSettings } from './session-settings.ts'

/** What a write came to, as far as it is kept with its key. */
export interface KeptWrite {
  readonly data: string
  readonly writes: readonly CommittedWrite[]
}

/** The row of the key could not be written: usually, because it is there. */
class KeyRefused extends SvcError {
  constructor(cause: unknown) {
    super('INTERNAL_SERVER_ERROR', 'An internal error occurred.', { cause })
  }
}

/** One key of a write in the database (`Operation.write.once`). */
export class WriteKey {
  readonly #once: WriteOnce
  readonly #context: ExecuteContext
  readonly #statements: WriteKeyStatements
  /** That the request takes on, and that has no rights to the table. */
  readonly #role: string | null

  constructor(once: WriteOnce, context: ExecuteContext, operation: Operation) {
    this.#once = once
    this.#context = context
    this.#statements = statementsOf(context.settings.dialect, once.table)
    this.#role = writeSettings(operation)?.find(({ name }) => name === 'role')?.value ?? null
  }

  /**
   * Takes the key, before anything else in the transaction. Another transaction that has it and is not over yet is waited for.
   * @throws KeyRefused, or the failure of the connection
   */
  async take(session: Session): Promise<void> {
    const { key, fingerprint, ttlMs } = this.#once
    try {
      await this.#asOwner(session, this.#statements.insert, [key, fingerprint, String(Date.now() + ttlMs)])
    } catch (error) {
      throw error instanceof SvcError ? error : new KeyRefused(error)
    }
  }

  /** Keeps the answer, behind everything else in the transaction; none that is too large, of which `explain` says so. */
  async keep(session: Session, { data, writes }: KeptWrite): Promise<void> {
    const kept: KeptWrite = {
      data,
      writes: writes.map((write) => ({ ...write, entity: null, before: null, cascade: null })),
    }
    const answer = JSON.stringify(kept)
    if (Buffer.byteLength(answer) > this.#once.maxAnswerBytes) return
    await this.#asOwner(session, this.#statements.keep, [answer, this.#once.key])
  }

  /**
   * Of a transaction that failed: what the write that has the key came to, `null` where the key has nothing to do with it.
   * @throws SvcError IDEMPOTENCY_CONFLICT, SERVICE_UNAVAILABLE; CONFLICT: it was committed, and its answer is not kept
   * @returns `again`: the key was that of a write long ago, and is free now; or it is gone, because another request or the
   * sweep deleted it. A table that takes no row looks the same: the number of attempts is bounded.
   */
  async explain(error: unknown): Promise<KeptWrite | 'again' | null> {
    if (!(error instanceof KeyRefused)) return null
    const { key, fingerprint, found } = this.#once
    const [row] = await this.#query(this.#statements.read, [key]).catch((failure: unknown) => {
      if (failure instanceof SvcError) throw failure
      return []
    })
    if (row === undefined) return 'again'
    const now = Date.now()
    if (Number(row[2]) <= now) {
      await this.#query(this.#statements.expire, [key, String(now)])
      return 'again'
    }
    if (row[0] !== fingerprint) {
      found('other')
      throw new SvcError(
        'IDEMPOTENCY_CONFLICT',
        'This Idempotency-Key came with another request before. Use a new one.',
      )
    }
    found('done')
    if (row[1] === null || row[1] === undefined) throw answerNotKept()
    return JSON.parse(row[1]) as KeptWrite
  }

  async #query(statement: Statement, parameters: readonly Parameter[]) {
    return (await this.#context.database().query(statement, parameters, null)).rows
  }

  /** By the role of the connection: that of a request writes where its functions do. */
  async #asOwner(session: Session, statement: Statement, parameters: readonly Parameter[]): Promise<void> {
    const { takeRole } = this.#context.settings.dialect
    if (this.#role === null || takeRole === undefined) {
      await session.query(statement, parameters)
      return
    }
    await session.query(takeRole, ['none'])
    await session.query(statement, parameters)
    await session.query(takeRole, [this.#role])
  }
}

function answerNotKept(): SvcError {
  return committedOutcome(
    new SvcError(
      'CONFLICT',
      'The write of this Idempotency-Key was committed, and its answer was too large to be kept. Do not send it again: read what it wrote.',
    ),
  )
}

/** The key of an operation that has one, on this database. */
export function writeKeyOf(context: ExecuteContext, operation: Operation): WriteKey | null {
  const once = operation.write?.once
  return once === undefined ? null : new WriteKey(once, context, operation)
}

const known = new WeakMap<Dialect, Map<string, WriteKeyStatements>>()

function statementsOf(dialect: Dialect, table: string): WriteKeyStatements {
  let own = known.get(dialect)
  if (own === undefined) {
    own = new Map()
    known.set(dialect, own)
  }
  let statements = own.get(table)
  if (statements === undefined) {
    statements = dialect.writeKeys(table)
    own.set(table, statements)
  }
  return statements
}
