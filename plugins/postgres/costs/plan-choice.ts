/** Durations that are remembered. */
const KEPT_RUNS = 5
/** After so many runs the plans are compared, and again after four times as many: other values may have another plan, and data changes. */
const FIRST_RUNS = 5
const TIMES = 4
const MOST_RUNS = 65_536
/** Beside a run that takes longer, its planning does not count: it is always planned with its values. Milliseconds. */
const WORTH_MS = 20
/** A generic run that takes so many times as long as one planned with its values, and so much longer, is bad for it. A busy machine makes any run of thousands take some milliseconds more. */
const FAR_TIMES = 20
const FAR_MS = 50
/** After so many runs at the least a generic plan that failed may be chosen again. */
const FAILED_RUNS = 1024

/** `values`: planned for each run, with its values. `generic`: planned once per connection, for any values. */
export type Planning = 'values' | 'generic'

/** The chosen kind of plan, and the reason. */
export interface PlanDecision {
  readonly planning: Planning
  /** `same-plan`, `other-plan`: EXPLAIN compared both plans for the values of a run. `slow`: a generic run took far longer. */
  readonly reason: 'same-plan' | 'other-plan' | 'slow'
}

/**
 * How a statement is planned whose best plan depends on its values (`Statement.selective`). A generic plan saves the planning of each
 * run and may be thousands of times slower. So a statement is planned with its values until the server shows, for the values of a
 * run, that both plans are the same; then planning it for each run is a waste. The plans are compared again after more runs, for the values of that time. A generic
 * run that is far slower all the same ends the generic plan at once.
 *
 * One per statement, whatever connection runs it. The server's own choice (`plan_cache_mode = auto`) compares estimates of cost, and
 * these are what is wrong when a list ends in `ORDER BY key LIMIT n`.
 */
export class PlanChoice {
  #planning: Planning = 'values'
  /** Until the plans are compared. */
  #remaining = FIRST_RUNS
  #next = FIRST_RUNS
  #farMs = Number.POSITIVE_INFINITY
  readonly #values: number[] = []
  readonly #onDecided: (decision: PlanDecision) => void

  /** @param onDecided called when another kind of plan was chosen */
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

  /** A generic run that takes longer is far slower. Milliseconds. */
  get farMs(): number {
    return this.#farMs
  }

  /**
   * A run has ended.
   * @param planning how it was planned, which is not always how the next one is
   * @param ms what the server took, milliseconds
   */
  record(planning: Planning, ms: number): void {
    this.#remaining--
    if (planning === 'values') keep(this.#values, ms)
    else if (ms > this.#farMs) this.abandonGeneric()
  }

  /** @param isSame is the plan for any values that for the values of a run? */
  compared(isSame: boolean): void {
    this.#wait(this.#next * TIMES)
    this.#choose(isSame ? 'generic' : 'values', isSame ? 'same-plan' : 'other-plan')
  }

  /** The server gave no plan: another time. */
  postpone(): void {
    this.#remaining = this.#next
  }

  /** A generic run takes far longer than with its values, or would. */
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
