import type { Setting } from '../../../core/doors/driver.ts'
import type { Parameter, Signals, Statement } from '../../../core/doors/plugin.ts'
import { PlanChoice, type Planning } from '../costs/plan-choice.ts'
import type { StatementCost } from '../costs/statement-costs.ts'
import type { PreparedMode } from '../wire/prepared-names.ts'

export interface PlanChooserOptions {
  /** Does a session plan for any values by default (`plan_cache_mode`)? */
  readonly isGeneric: boolean
  /** Is the plan for any values that for these? Rejects where the server does not say. */
  readonly compare: (
    statement: Statement,
    parameters: readonly Parameter[],
    settings: readonly Setting[] | undefined,
  ) => Promise<boolean>
  /** May a connection be used for that now, which no request waits for? */
  readonly hasRoom: () => boolean
}

/** Decides how selective statements are planned (`Statement.selective`); what is known of each stands beside its cost. */
export class PlanChooser {
  readonly #options: PlanChooserOptions
  readonly #mode: PreparedMode
  readonly #signals: Signals
  /** One at a time: they are no hurry, and a service that starts has many. */
  #isComparing = false

  constructor(options: PlanChooserOptions, mode: PreparedMode, signals: Signals) {
    this.#options = options
    this.#mode = mode
    this.#signals = signals
  }

  /** How a run is planned; `null`: as the session has it. Where it is time, the plans for its values are compared beside it. */
  next(
    statement: Statement,
    cost: StatementCost | null,
    parameters: readonly Parameter[],
    settings: readonly Setting[] | undefined,
  ): Planning | null {
    const choice = this.#choice(statement.name, cost)
    if (!(choice instanceof PlanChoice)) return choice
    if (choice.wantsComparison && !this.#isComparing && this.#options.hasRoom()) {
      void this.#compare(choice, statement, parameters, settings)
    }
    return choice.planning
  }

  /** How the next run is planned; `null`: as the session has it. */
  current(name: string | null, cost: StatementCost | null): Planning | null {
    const choice = this.#choice(name, cost)
    return choice instanceof PlanChoice ? choice.planning : choice
  }

  async #compare(
    choice: PlanChoice,
    statement: Statement,
    parameters: readonly Parameter[],
    settings: readonly Setting[] | undefined,
  ): Promise<void> {
    this.#isComparing = true
    try {
      choice.compared(await this.#options.compare(statement, parameters, settings))
    } catch {
      choice.postpone()
    } finally {
      this.#isComparing = false
    }
  }

  #choice(name: string | null, cost: StatementCost | null): PlanChoice | 'values' | null {
    if (!this.#options.isGeneric) return null
    // The server keeps no plan of a statement that it prepares for one run, so that a generic one saves nothing.
    if (name === null || cost === null || !this.#mode.on) return 'values'
    cost.plan ??= new PlanChoice((decision) => {
      this.#signals.emit({ type: 'statement-planned', statement: name, ...decision })
    })
    return cost.plan
  }
}
