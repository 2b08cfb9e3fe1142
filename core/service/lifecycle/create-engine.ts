import type { Engine, Executor } from '../../contract/engine.ts'
import type { Result } from '../../contract/result.ts'
import type { Signals } from '../../contract/signals.ts'
import { createAuthorizer } from './authorize-operation.ts'
import { createExplainer } from './explain-operation.ts'
import { guardPreconditions } from './guard-preconditions.ts'
import type { Observe } from './observe.ts'
import { reportRefusals } from './report-refusal.ts'
import { createOperationRunner, type OperationStages } from './run-operation.ts'

export interface EngineParts
  extends Pick<OperationStages, 'defaultPolicy' | 'authorize' | 'resolve' | 'sessionVariables'> {
  /** Plans and runs operations that the guards allow. */
  readonly executor: Executor
  readonly observe: Observe
  readonly signals: Signals
}

/** Creates the engine of a service: its executor with the guards around it. */
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
