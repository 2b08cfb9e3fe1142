import type { Exchange } from '../../contract/exchange.ts'
import type { PlanWork } from '../../contract/observer.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Observe } from './observe.ts'

type Run = (exchange: Exchange, operation: Operation) => unknown

/** A plan for observers. They see the members of {@link PlanWork}, but not the function that creates it. */
class ObservedPlan implements PlanWork {
  readonly exchange: object | null
  readonly operation: Operation
  readonly kind: string
  readonly #make: () => unknown

  constructor(exchange: object | null, operation: Operation, kind: string, make: () => unknown) {
    this.exchange = exchange
    this.operation = operation
    this.kind = kind
    this.#make = make
  }

  static make(work: ObservedPlan): unknown {
    return work.#make()
  }
}

/** Connects the planner of the engine to observers of plugins, which measure how plans are made. */
export interface ObservedPlans {
  /** Setting of the engine that is called around the creation of each plan; `null`: no plugin observes plans. */
  readonly observePlan: (<T>(operation: Operation, kind: string, make: () => T) => T) | null
  /**
   * Wraps the function that runs operations, so that observers learn which exchange a plan is for. Without observers it
   * returns the function itself.
   */
  readonly noting: <F extends Run>(run: F) => F
}

export function observePlans(observe: Observe): ObservedPlans {
  const run = observe('plan', ObservedPlan.make)
  if (run === ObservedPlan.make) return { observePlan: null, noting: (run) => run }
  const exchanges = new WeakMap<Operation, Exchange>()
  return {
    observePlan: <T>(operation: Operation, kind: string, make: () => T) =>
      run(new ObservedPlan(exchanges.get(operation) ?? null, operation, kind, make)) as T,
    noting: <F extends Run>(run: F) =>
      ((exchange, operation) => {
        exchanges.set(operation, exchange)
        return run(exchange, operation)
      }) as F,
  }
}
