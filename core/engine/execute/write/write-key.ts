import { committedOutcome } from '../../../base/errors/committed-outcome.ts'
import { SvcError } from '../../../base/errors/svc-error.ts'
import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { Session } from '../../../contract/database.ts'
import type { Dialect } from '../../../contract/dialect.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { Parameter, Statement } from '../../../contract/statement.ts'
import type { WriteKeyStatements, WriteOnce } from '../../../contract/write-once.ts'
import type { ExecuteContext } from '../context/context.ts'
import { writeSettings } from '../context/session-settings.ts'

/** The response of a mutation that is stored with its idempotency key, for repeated requests. */
export interface KeptWrite {
  readonly data: string
  readonly writes: readonly CommittedWrite[]
}

/** Thrown when the row of the key cannot be inserted, usually because it exists. */
class KeyRefused extends SvcError {
  constructor(cause: unknown) {
    super('INTERNAL_SERVER_ERROR', 'An internal error occurred.', { cause })
  }
}

/**
 * The idempotency key of a mutation (`Operation.write.once`), which is stored in a table of the database in the same
 * transaction as the write.
 */
export class WriteKey {
  readonly #once: WriteOnce
  readonly #context: ExecuteContext
  readonly #statements: WriteKeyStatements
  /** Role of the request, which has no rights to the table; `null`: the role of the connection. */
  readonly #role: string | null

  constructor(once: WriteOnce, context: ExecuteContext, operation: Operation) {
    this.#once = once
    this.#context = context
    this.#statements = statementsOf(context.settings.dialect, once.table)
    this.#role = writeSettings(operation)?.find(({ name }) => name === 'role')?.value ?? null
  }

  /**
   * Inserts the key. It must be the first statement of the transaction. It waits for a running transaction with the same key.
   * @throws KeyRefused; errors of the connection
   */
  async take(session: Session): Promise<void> {
    const { key, fingerprint, ttlMs } = this.#once
    try {
      await this.#asOwner(session, this.#statements.insert, [key, fingerprint, String(Date.now() + ttlMs)])
    } catch (error) {
      throw error instanceof SvcError ? error : new KeyRefused(error)
    }
  }

  /** Stores the answer. It must be the last statement of the transaction. An answer above `maxAnswerBytes` is not stored; see `explain`. */
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
   * Explains a failed transaction.
   * @returns the stored answer of the write that has the key; `null`: the key is not the reason; `again`: the key had expired and is free now.
   *   A table that accepts no rows gives `again`, too, so bound the number of attempts
   * @throws SvcError IDEMPOTENCY_CONFLICT, SERVICE_UNAVAILABLE; CONFLICT: the write was committed and its answer is not stored
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

  /** Runs a statement with the role of the connection, and then restores the role of the request. */
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

/** Returns the idempotency key with which a mutation was requested; `null`: it has none. */
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
