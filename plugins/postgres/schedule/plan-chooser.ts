import type { Setting } from '../../../core/doors/driver.ts'
import type { Parameter, Signals, Statement } from '../../../core/doors/plugin.ts'
import { PlanChoice, type Planning } from '../costs/plan-choice.ts'
import type { StatementCost } from '../costs/statement-costs.ts'
import type { PreparedMode } from '../wire/prepared-names.ts'

export interface PlanChooserOptions {
  /** `true` if the session uses generic plans by default (`plan_cache_mode`). */
  readonly isGeneric: boolean
  /**
   * Tests with EXPLAIN whether the generic plan of a statement equals the plan for these values. Rejects when the
   * server returns no plan.
   */
  readonly compare: (
    statement: Statement,
    parameters: readonly Parameter[],
    settings: readonly Setting[] | undefined,
  ) => Promise<boolean>
  /** Tests whether a connection is free for a comparison of plans and no request waits for one. */
  readonly hasRoom: () => boolean
}

/**
 * Chooses how statements are planned whose best plan depends on their values (`Statement.selective`), and compares
 * their plans when this is due.
 */
export class PlanChooser {
  readonly #options: PlanChooserOptions
  readonly #mode: PreparedMode
  readonly #signals: Signals
  /** Comparisons run one at a time: they are not urgent, and many are due after a start. */
  #isComparing = false

  constructor(options: PlanChooserOptions, mode: PreparedMode, signals: Signals) {
    this.#options = options
    this.#mode = mode
    this.#signals = signals
  }

  /** Returns the planning of a run; `null`: as the session is set. Starts a comparison for its values when one is due. */
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

  /** Returns the planning of the next run; `null`: as the session is set. */
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
    // The server keeps no plan of an unnamed statement, so that a generic plan saves nothing.
    if (name === null || cost === null || !this.#mode.on) return 'values'
    cost.plan ??= new PlanChoice((decision) => {
      this.#signals.emit({ type: 'statement-planned', statement: name, ...decision })
    })
    return cost.plan
  }
}
