import type { CommittedWrite } from '../contract/committed-write.ts'
import type { Session } from '../contract/database.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { MutationCall } from '../contract/mutation-call.ts'
import type { MutationRoot, Operation } from '../contract/operation.ts'
import type { Parameter, Rows, Statement } from '../contract/statement.ts'
import type { DialectErrors } from '../dialects/dialect.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import type { WriteMoments } from '../kernel/write-moments.ts'
import { argumentsOf } from '../plan/arguments-of.ts'
import { isPromise } from '../util/promise.ts'
import type { ExecuteContext } from './context.ts'
import { untilAborted } from './until-aborted.ts'

/** The moments of one root in its transaction. */
export class RootMoments {
  readonly #moments: WriteMoments
  readonly #errors: DialectErrors
  readonly #exchange: Exchange
  readonly #call: MutationCall
  readonly #session: HookSession

  constructor(
    moments: WriteMoments,
    { settings }: ExecuteContext,
    exchange: Exchange,
    operation: Operation,
    root: MutationRoot,
    session: HookSession,
  ) {
    this.#moments = moments
    this.#errors = settings.dialect.errors
    this.#exchange = exchange
    this.#session = session
    this.#call = callOf(operation, root, session)
  }

  /** @throws SvcError: what a hook threw, and TIMEOUT where it did not come to an end */
  async before(): Promise<void> {
    const { before } = this.#moments
    if (before !== null) await this.#run('mutation:before', () => before(this.#exchange, this.#call))
  }

  /** @throws as {@link before} */
  async after(writes: readonly CommittedWrite[]): Promise<void> {
    const { after } = this.#moments
    if (after !== null) await this.#run('mutation:after', () => after(this.#exchange, this.#call, writes))
  }

  async #run(moment: string, run: () => MaybePromise<void>): Promise<void> {
    this.#session.open = true
    try {
      const running = run()
      if (isPromise(running)) await untilAborted(this.#exchange, running, moment)
    } catch (error) {
      throw momentFailure(this.#errors, error)
    } finally {
      this.#session.open = false
    }
  }
}

function callOf(operation: Operation, root: MutationRoot, session: Session): MutationCall {
  const { wireName, operation: kind } = root.operation
  return Object.freeze({
    operation,
    root,
    mutation: wireName,
    kind,
    get arguments() {
      return argumentsOf(root, operation.variables)
    },
    session,
    dryRun: operation.write?.dryRun === true,
  })
}

/**
 * What a hook threw, as the client may see it. What the database said of a statement of its own is none of the client's
 * business, unless a function wrote it for clients.
 */
function momentFailure(errors: DialectErrors, error: unknown): SvcError {
  if (error instanceof SvcError) return error
  if (errors.isRaised(error) || errors.isTransient(error)) return errors.read(error)
  return new SvcError('INTERNAL_SERVER_ERROR', 'An internal error occurred.', { cause: error })
}

/** The session of a transaction as hooks get it: only while their moment lasts, and what failed is remembered. */
export class HookSession implements Session {
  readonly #session: Session
  /** The first statement that failed; a hook may have kept it to itself. */
  failure: unknown = null
  open = false

  constructor(session: Session) {
    this.#session = session
  }

  async query(statement: Statement, parameters: readonly Parameter[]): Promise<Rows> {
    if (!this.open) {
      throw new SvcError(
        'TRANSACTION_FAILED',
        'The moment is over; its session cannot be used any more. Await each query.',
      )
    }
    try {
      return await this.#session.query(statement, parameters)
    } catch (error) {
      this.failure ??= error
      throw error
    }
  }

  /**
   * Of a transaction that failed behind a moment: where a hook kept the failure of a statement to itself, that one is the
   * reason, because nothing runs behind it.
   */
  explain(error: unknown): unknown {
    if (this.failure === null || error === this.failure || (error as SvcError).cause === this.failure) return error
    const message = 'A statement that a plugin ran in the transaction had failed; nothing was written.'
    return new SvcError('TRANSACTION_FAILED', message, { cause: this.failure })
  }
}
