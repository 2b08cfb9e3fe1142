/** Runs of each kind that are compared. */
const TRIAL_RUNS = 5
/** A run that takes so many times as long as planned with its values, and so much longer, shows that the generic plan is bad for it. */
const FAR_TIMES = 8
const FAR_MS = 5
/** Beside a run that takes longer, its planning does not count: it is always planned with its values. */
const WORTH_MS = 20
/** A generic plan has to save so much: it may be far slower for other values. */
const SAVING = 0.95
/** After so many runs the kinds are compared anew: the data may have changed. Each time that the trial fails, after twice as many. */
const FIRST_PATIENCE = 64
const LONGEST_PATIENCE = 65_536
/** A trial of which nothing was heard for so long is over. */
const LOST_MS = 5000

/**
 * `values`: planned for each run, with its values. `generic`: planned once per connection, for any values. `trial`: generic, and
 * ended by the server after a while; then it runs again with its values.
 */
export type Planning = 'values' | 'generic' | 'trial'

/** What was chosen, and the typical run of each kind in milliseconds. */
export interface PlanDecision {
  readonly planning: 'values' | 'generic'
  readonly valuesMs: number
  /** `null`: it was ended before it had an answer. */
  readonly genericMs: number | null
}

/**
 * How a statement is planned whose best plan depends on its values (`Statement.selective`). A generic plan saves the planning of each
 * run and may be thousands of times slower, so that it has to show first that it is faster: some runs are planned with their values, then
 * some are not, one at a time and with a bound, and what is faster is kept. A generic run that is far slower later on ends the generic plan
 * at once.
 *
 * One per statement, whatever connection runs it. The server's own choice (`plan_cache_mode = auto`) compares estimates, and
 * these are what is wrong when a list ends in `ORDER BY key LIMIT n`.
 */
export class PlanChoice {
  #state: 'values' | 'trying' | 'generic' = 'values'
  /** Until the kinds are compared. */
  #remaining = TRIAL_RUNS
  #patience = FIRST_PATIENCE
  /** When the trial began that is under way. `performance.now()` */
  #tryingSince = Number.NEGATIVE_INFINITY
  #boundMs = Number.POSITIVE_INFINITY
  readonly #values: number[] = []
  readonly #generic: number[] = []
  readonly #onDecided: (decision: PlanDecision) => void

  /** @param onDecided called when the kinds were compared, or the generic plan failed */
  constructor(onDecided: (decision: PlanDecision) => void = () => {}) {
    this.#onDecided = onDecided
  }

  /** How most runs are planned now. */
  get planning(): 'values' | 'generic' {
    return this.#state === 'generic' ? 'generic' : 'values'
  }

  /** A generic run that takes longer is far slower. Milliseconds. */
  get boundMs(): number {
    return this.#boundMs
  }

  /** How the next run is planned. @param now `performance.now()` */
  next(now: number): Planning {
    if (this.#state !== 'trying') return this.#state
    if (now - this.#tryingSince < LOST_MS) return 'values'
    this.#tryingSince = now
    return 'trial'
  }

  /**
   * A run has ended.
   * @param planning how it was planned, which is not always how the next one is
   * @param ms what the server took, milliseconds
   */
  record(planning: Planning, ms: number): void {
    if (planning === 'values') {
      keep(this.#values, ms)
      if (this.#state === 'values' && --this.#remaining <= 0) this.#try()
    } else if (planning === 'trial') this.#recordTrial(ms)
    else if (ms > this.#boundMs) this.abandonGeneric()
  }

  /** The server ended a trial. */
  failTrial(): void {
    if (this.#state === 'trying') this.#giveUp(null, Math.min(2 * this.#patience, LONGEST_PATIENCE))
  }

  /** A generic run takes far longer than with its values, or would: not once more, unless the data changes a lot. */
  abandonGeneric(): void {
    if (this.#state === 'generic') this.#giveUp(null, LONGEST_PATIENCE)
  }

  #recordTrial(ms: number): void {
    this.#tryingSince = Number.NEGATIVE_INFINITY
    if (this.#state !== 'trying') return
    if (ms > this.#boundMs) {
      this.failTrial()
      return
    }
    this.#generic.push(ms)
    if (this.#generic.length < TRIAL_RUNS) return
    const genericMs = median(this.#generic)
    if (genericMs > SAVING * median(this.#values))
      this.#giveUp(genericMs, Math.min(2 * this.#patience, LONGEST_PATIENCE))
    else {
      this.#state = 'generic'
      this.#tell(genericMs)
    }
  }

  #try(): void {
    const valuesMs = median(this.#values)
    if (valuesMs > WORTH_MS) {
      this.#remaining = this.#patience
      return
    }
    this.#state = 'trying'
    this.#tryingSince = Number.NEGATIVE_INFINITY
    this.#generic.length = 0
    this.#boundMs = FAR_TIMES * valuesMs + FAR_MS
  }

  #giveUp(genericMs: number | null, patience: number): void {
    this.#state = 'values'
    this.#remaining = this.#patience
    this.#patience = patience
    this.#tell(genericMs)
  }

  #tell(genericMs: number | null): void {
    this.#onDecided({ planning: this.planning, valuesMs: median(this.#values), genericMs })
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
