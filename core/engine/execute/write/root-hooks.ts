import { SvcError } from '../../../base/errors/svc-error.ts'
import { isPromise } from '../../../base/util/promise.ts'
import type { Cancellable } from '../../../contract/cancellable.ts'
import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { Session } from '../../../contract/database.ts'
import type { DialectErrors } from '../../../contract/dialect.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { MutationCall } from '../../../contract/mutation-call.ts'
import type { MutationHooks } from '../../../contract/mutation-hooks.ts'
import type { MutationRoot, Operation } from '../../../contract/operation.ts'
import type { MaybePromise } from '../../../contract/stages.ts'
import type { Parameter, Rows, Statement } from '../../../contract/statement.ts'
import { argumentsOf } from '../../plan/values/arguments-of.ts'
import type { ExecuteContext } from '../context/context.ts'

/** Runs the `mutation:before` and `mutation:after` hooks of plugins for one root field, inside its transaction. */
export class RootHooks {
  readonly #hooks: MutationHooks
  readonly #errors: DialectErrors
  readonly #exchange: Exchange
  readonly #call: MutationCall
  readonly #session: HookSession

  constructor(
    hooks: MutationHooks,
    { settings }: ExecuteContext,
    exchange: Exchange,
    operation: Operation,
    root: MutationRoot,
    session: HookSession,
  ) {
    this.#hooks = hooks
    this.#errors = settings.dialect.errors
    this.#exchange = exchange
    this.#session = session
    this.#call = callOf(operation, root, session)
  }

  /** Runs `mutation:before`. @throws SvcError: the error of a hook; TIMEOUT when a hook exceeds the deadline of the request */
  async before(): Promise<void> {
    const { before } = this.#hooks
    if (before !== null) await this.#run('mutation:before', () => before(this.#exchange, this.#call))
  }

  /** Runs `mutation:after`. @throws as {@link before} */
  async after(writes: readonly CommittedWrite[]): Promise<void> {
    const { after } = this.#hooks
    if (after !== null) await this.#run('mutation:after', () => after(this.#exchange, this.#call, writes))
  }

  async #run(stage: string, run: () => MaybePromise<void>): Promise<void> {
    this.#session.open = true
    try {
      const running = run()
      if (isPromise(running)) await untilAborted(this.#exchange, running, stage)
    } catch (error) {
      throw hookFailure(this.#errors, error)
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
 * Converts the error of a hook. Database errors of its statements are hidden from clients, except errors that a function raised for
 * clients.
 */
function hookFailure(errors: DialectErrors, error: unknown): SvcError {
  if (error instanceof SvcError) return error
  if (errors.isRaised(error) || errors.isTransient(error)) return errors.read(error)
  return new SvcError('INTERNAL_SERVER_ERROR', 'An internal error occurred.', { cause: error })
}

/**
 * The database session that hooks receive inside a mutation's transaction. It accepts statements only while a hook
 * runs, and remembers the first one that failed.
 */
export class HookSession implements Session {
  readonly #session: Session
  /** Error of the first failed statement, which a hook may have caught; `null`: none. */
  failure: unknown = null
  open = false

  constructor(session: Session) {
    this.#session = session
  }

  async query(statement: Statement, parameters: readonly Parameter[]): Promise<Rows> {
    if (!this.open) {
      throw new SvcError(
        'TRANSACTION_FAILED',
        'The hook has ended: its session cannot be used any more. Await each query.',
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
   * Returns the error for a failed transaction. When a hook had caught the error of one of its statements, that error is the reason, because
   * the database rejects all later statements.
   */
  explain(error: unknown): unknown {
    if (this.failure === null || error === this.failure || (error as SvcError).cause === this.failure) return error
    const message = 'A statement that a plugin ran in the transaction had failed; nothing was written.'
    return new SvcError('TRANSACTION_FAILED', message, { cause: this.failure })
  }
}

/**
 * Waits for work of a plugin until its request is aborted. The work itself cannot be stopped.
 * @param what description of the work, for the error
 * @throws SvcError TIMEOUT
 */
function untilAborted<T>(cancel: Cancellable, work: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = cancel.onAbort(() => reject(abortedError(cancel, what)))
    work.then(resolve, reject).finally(() => stop())
  })
}

function abortedError({ abortReason }: Cancellable, what: string): SvcError {
  return abortReason === 'client'
    ? new SvcError('TIMEOUT', `The client went away during ${what}.`, { details: { abortedBy: 'client' } })
    : new SvcError('TIMEOUT', `The request outlived its deadline during ${what}.`)
}
