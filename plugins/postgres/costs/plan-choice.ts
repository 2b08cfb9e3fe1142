/** Number of durations that are kept. */
const KEPT_RUNS = 5
/** Number of runs before the plans are compared. They are compared again later, since other values or changed data may change the plan. */
const FIRST_RUNS = 5
const TIMES = 4
const MOST_RUNS = 65_536
/** If runs take longer than this, planning time is negligible and the statement is always planned with its values. Milliseconds. */
const WORTH_MS = 20
/** A generic run is far slower if it takes this multiple of one with its values, and `FAR_MS` more: load adds a few milliseconds. */
const FAR_TIMES = 20
const FAR_MS = 50
/** Minimum number of runs before a generic plan that failed may be chosen again. */
const FAILED_RUNS = 1024

/**
 * How PostgreSQL plans a statement. `values`: for each run, with its parameter values. `generic`: once per connection,
 * for any values.
 */
export type Planning = 'values' | 'generic'

/** The chosen way to plan a statement, and the reason. It is reported as a signal. */
export interface PlanDecision {
  readonly planning: Planning
  /**
   * `same-plan`, `other-plan`: EXPLAIN compared the generic plan with the plan for the values of a run. `slow`: a run
   * with the generic plan took far longer than others.
   */
  readonly reason: 'same-plan' | 'other-plan' | 'slow'
}

/**
 * Chooses how a statement is planned whose best plan depends on its values (`Statement.selective`). It is planned for
 * its values until EXPLAIN shows that the generic plan is the same, which saves planning. Later comparisons, or a far
 * slower run, undo this. PostgreSQL's own choice (`plan_cache_mode = auto`) is often wrong for `ORDER BY key LIMIT n`.
 */
export class PlanChoice {
  #planning: Planning = 'values'
  /** Number of runs until the plans are compared. */
  #remaining = FIRST_RUNS
  #next = FIRST_RUNS
  #farMs = Number.POSITIVE_INFINITY
  readonly #values: number[] = []
  readonly #onDecided: (decision: PlanDecision) => void

  /** @param onDecided called when the kind of plan changes */
  constructor(onDecided: (decision: PlanDecision) => void = () => {}) {
    this.#onDecided = onDecided
  }

  /** How the next run is planned. */
  get planning(): Planning {
    return this.#planning
  }

  /** Should the plans be compared, for the values of this run? */
  get wantsComparison(): boolean {
    return this.#remaining <= 0 && median(this.#values) <= WORTH_MS
  }

  /** Duration above which a generic run counts as far slower. Milliseconds. */
  get farMs(): number {
    return this.#farMs
  }

  /**
   * Records the end of a run.
   * @param planning how it was planned, which may differ from the next run
   * @param ms time that the server needed, in milliseconds
   */
  record(planning: Planning, ms: number): void {
    this.#remaining--
    if (planning === 'values') keep(this.#values, ms)
    else if (ms > this.#farMs) this.abandonGeneric()
  }

  /** @param isSame `true` if the generic plan equals the plan for the values of a run */
  compared(isSame: boolean): void {
    this.#wait(this.#next * TIMES)
    this.#choose(isSame ? 'generic' : 'values', isSame ? 'same-plan' : 'other-plan')
  }

  /** Postpones the comparison, because the server returned no plan. */
  postpone(): void {
    this.#remaining = this.#next
  }

  /** Ends generic planning, because a generic run takes far longer than one planned with its values, or would. */
  abandonGeneric(): void {
    if (this.#planning !== 'generic') return
    this.#wait(Math.max(this.#next * TIMES, FAILED_RUNS))
    this.#choose('values', 'slow')
  }

  #wait(runs: number): void {
    this.#next = Math.min(runs, MOST_RUNS)
    this.#remaining = this.#next
  }

  #choose(planning: Planning, reason: PlanDecision['reason']): void {
    if (planning === this.#planning) return
    this.#farMs = FAR_TIMES * median(this.#values) + FAR_MS
    this.#planning = planning
    this.#onDecided({ planning, reason })
  }
}

/** Keeps the durations of the last runs. */
function keep(runs: number[], ms: number): void {
  runs.push(ms)
  if (runs.length > KEPT_RUNS) runs.shift()
}

/** The median of a few durations, so that a single run on a busy processor does not decide. */
function median(runs: readonly number[]): number {
  return runs.toSorted((a, b) => a - b)[runs.length >> 1] ?? Number.POSITIVE_INFINITY
}
