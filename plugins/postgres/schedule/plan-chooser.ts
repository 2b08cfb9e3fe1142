import type { Signals } from '../../../core/index.ts'
import type { PreparedMode } from '../wire/prepared-names.ts'
import { PlanChoice, type Planning } from './plan-choice.ts'
import type { StatementCost } from './statement-costs.ts'

/** Decides how selective statements are planned (`Statement.selective`); what is known of each stands beside its cost. */
export class PlanChooser {
  readonly #isGeneric: boolean
  readonly #mode: PreparedMode
  readonly #signals: Signals

  /** @param isGeneric does a session plan for any values unless it is told otherwise (`plan_cache_mode`)? */
  constructor(isGeneric: boolean, mode: PreparedMode, signals: Signals) {
    this.#isGeneric = isGeneric
    this.#mode = mode
    this.#signals = signals
  }

  /** How the next run is planned; `null`: as the session has it. */
  next(name: string | null, cost: StatementCost | null): Planning | null {
    const choice = this.#choice(name, cost)
    return choice instanceof PlanChoice ? choice.next(performance.now()) : choice
  }

  /** How most runs are planned now; `null`: as the session has it. */
  current(name: string | null, cost: StatementCost | null): 'values' | 'generic' | null {
    const choice = this.#choice(name, cost)
    return choice instanceof PlanChoice ? choice.planning : choice
  }

  #choice(name: string | null, cost: StatementCost | null): PlanChoice | 'values' | null {
    if (!this.#isGeneric) return null
    // The server keeps no plan of a statement that it prepares for one run, so that a generic one saves nothing.
    if (name === null || cost === null || !this.#mode.on) return 'values'
    cost.plan ??= new PlanChoice((decision) => {
      this.#signals.emit({ type: 'statement-planned', statement: name, ...decision })
    })
    return cost.plan
  }
}
