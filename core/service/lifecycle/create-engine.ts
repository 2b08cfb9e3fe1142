import { SettingsRefused } from '../../base/errors/settings-refused.ts'
import { isPromise } from '../../base/util/promise.ts'
import type { Engine, Executor } from '../../contract/engine.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation, Precondition } from '../../contract/operation.ts'
import type { Result } from '../../contract/result.ts'
import type { Signals } from '../../contract/signals.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import { createAuthorizer } from './authorize-operation.ts'
import { createExplainer } from './explain-operation.ts'
import type { Observe } from './observe.ts'
import { createOperationRunner, type OperationStages } from './run-operation.ts'

export interface EngineParts
  extends Pick<OperationStages, 'defaultPolicy' | 'authorize' | 'resolve' | 'sessionVariables'> {
  /** Plans and runs operations after they were authorized. */
  readonly executor: Executor
  readonly observe: Observe
  readonly signals: Signals
}

type Run<A extends readonly unknown[], R> = (exchange: Exchange, operation: Operation, ...more: A) => R

/**
 * Creates the engine of a service (`scope.engine`), which authorizes and validates operations before the executor runs
 * them.
 */
export function createEngine({ resolve, executor, observe, signals, ...guards }: EngineParts): Engine {
  const innermost = observe('engine', reportRefusals(executor.resolve, signals))
  const authorize = createAuthorizer(guards)
  const explain = createExplainer({ ...guards, explain: reportRefusals(executor.explain, signals) })
  return Object.freeze({
    run: guardPreconditions(
      observe('operation', createOperationRunner<Result>({ ...guards, resolve, innermost })),
      authorize,
    ),
    explain: (exchange, operation, options = {}) => explain(exchange, operation, options),
    authorize,
    sourcesOf: executor.sourcesOf,
    answerKey: executor.answerKey,
    plan: executor.plan,
  } satisfies Engine)
}

/**
 * Wraps the run of operations, so that the queries of `WriteOptions.preconditions` are authorized, too. An `access` that they already have
 * is replaced.
 */
function guardPreconditions(
  run: Engine['run'],
  authorize: (exchange: Exchange, operation: Operation) => MaybePromise<Operation>,
): Engine['run'] {
  return (exchange, operation) => {
    const { write } = operation
    if (write?.preconditions === undefined) return run(exchange, operation)
    const allowed = async ({ operation: read, check }: Precondition): Promise<Precondition> => ({
      operation: await authorize(exchange, read),
      check,
    })
    return Promise.all(write.preconditions.map(allowed)).then((preconditions) =>
      run(exchange, { ...operation, write: { ...write, preconditions } }),
    )
  }
}

/**
 * Logs roles and session variables that the database rejects. Clients see FORBIDDEN alone, and operators must fix a missing or ungranted
 * role. Operations without settings are not affected.
 */
function reportRefusals<A extends readonly unknown[], R extends MaybePromise<unknown>>(
  run: Run<A, R>,
  signals: Signals,
): Run<A, R> {
  return (exchange, operation, ...more) => {
    const settings = operation.access?.settings
    if (settings === undefined || settings.length === 0) return run(exchange, operation, ...more)
    const report = (error: unknown): never => {
      if (error instanceof SettingsRefused) {
        const role = settings.find(({ name }) => name === 'role')?.value ?? null
        signals.emit({
          type: 'settings-refused',
          requestId: exchange.id,
          operation: operation.template.name,
          role,
          // Values are left out, because they may be personal data.
          variables: settings.filter(({ name }) => name !== 'role').map(({ name }) => name),
          reason: error.cause instanceof Error ? error.cause.message : String(error.cause),
        })
      }
      throw error
    }
    try {
      const running = run(exchange, operation, ...more)
      return isPromise(running) ? (running.catch(report) as R) : running
    } catch (error) {
      return report(error)
    }
  }
}
