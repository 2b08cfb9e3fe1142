/** Runs of each kind that are compared. */
const TRIAL_RUNS = 5
/** A run that takes so many times as long as planned with its values, and so much longer, shows that the generic plan is bad for it. */
const FAR_TIMES = 8
const FAR_MS = 5
/** After so many runs the kinds are compared anew: the data may have changed. Each time that the generic plan fails, after twice as many. */
const FIRST_PATIENCE = 64
const LONGEST_PATIENCE = 65_536

/** `values`: planned for each run, with its values. `generic`: planned once per connection, for any values. */
export type Planning = 'values' | 'generic'

/** What was chosen, and the typical run of each kind in milliseconds. */
export interface PlanDecision {
  readonly planning: Planning
  readonly valuesMs: number
  readonly genericMs: number
}

/**
 * How a statement is planned whose best plan depends on its values (`Statement.selective`). A generic plan saves the planning of each
 * run and may be hundreds of times slower, so that it has to show first that it is no slower: some runs are planned with
 * their values, some are not, and what is faster is kept. One run that is far slower ends the generic plan at once.
 *
 * One per statement, whatever connection runs it. The server's own choice (`plan_cache_mode = auto`) compares estimates, and
 * these are what is wrong when a list ends in `ORDER BY key LIMIT n`.
 */
export class PlanChoice {
  #planning: Planning = 'values'
  /** Is the generic plan tried now? */
  #isTrying = false
  /** Until the kinds are compared. */
  #remaining = TRIAL_RUNS
  #patience = FIRST_PATIENCE
  /** A generic run that takes longer is far slower. Milliseconds. */
  #farMs = Number.POSITIVE_INFINITY
  readonly #values: number[] = []
  readonly #generic: number[] = []
  readonly #onDecided: (decision: PlanDecision) => void

  /** @param onDecided called when the kinds were compared, or the generic plan failed */
  constructor(onDecided: (decision: PlanDecision) => void = () => {}) {
    this.#onDecided = onDecided
  }

  /** How the next run is planned. */
  get planning(): Planning {
    return this.#planning
  }

  /**
   * A run has ended.
   * @param planning how it was planned, which is not always how the next one is
   * @param ms what the server took, milliseconds
   */
  record(planning: Planning, ms: number): void {
    if (planning === 'generic') {
      if (this.#isTrying || ms > this.#farMs) keep(this.#generic, ms)
      if (ms > this.#farMs) {
        this.#giveUpGeneric()
        return
      }
    } else keep(this.#values, ms)
    // A run that was sent before the choice changed.
    if (planning !== this.#planning || (planning === 'generic' && !this.#isTrying)) return
    if (--this.#remaining > 0) return
    if (planning === 'values') this.#tryGeneric()
    else this.#compare()
  }

  #tryGeneric(): void {
    this.#planning = 'generic'
    this.#isTrying = true
    this.#remaining = TRIAL_RUNS
    this.#generic.length = 0
    this.#farMs = FAR_TIMES * median(this.#values) + FAR_MS
  }

  #compare(): void {
    if (median(this.#generic) > median(this.#values)) {
      this.#giveUpGeneric()
      return
    }
    this.#isTrying = false
    this.#tell()
  }

  #giveUpGeneric(): void {
    if (this.#planning === 'values') return
    this.#planning = 'values'
    this.#isTrying = false
    this.#remaining = this.#patience
    this.#patience = Math.min(2 * this.#patience, LONGEST_PATIENCE)
    this.#tell()
  }

  #tell(): void {
    const [valuesMs, genericMs] = [median(this.#values), median(this.#generic)]
    this.#onDecided({ planning: this.#planning, valuesMs, genericMs })
  }
}

/** Of the last runs. */
function keep(runs: number[], ms: number): void {
  runs.push(ms)
  if (runs.length > TRIAL_RUNS) runs.shift()
}

/** Of a few numbers. A run that waited for a busy processor does not decide. */
function median(runs: readonly number[]): number {
  return runs.toSorted((a, b) => a - b)[runs.length >> 1] ?? Number.POSITIVE_INFINITY
}
