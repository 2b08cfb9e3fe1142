import type { Exchange } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { PlanWork } from '../kernel/observer.ts'
import type { Observe } from './observe.ts'

type Run = (exchange: Exchange, operation: Operation) => unknown

/** Observers see what stands in {@link PlanWork}, and not what makes it. */
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

/** What lies around the making of plans, and tells it for whom they are made. */
export interface ObservedPlans {
  /** For the engine's settings; `null`: nobody observes plans. */
  readonly observePlan: (<T>(operation: Operation, kind: string, make: () => T) => T) | null
  /** Lies around the engine; the very same function where nobody observes plans. */
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
