import type { TypicalRun } from './statement-costs.ts'

/**
 * Milliseconds of expected work that one shared connection gets before the next one is used, when connections are
 * filled one by one ({@link LaneUse}).
 */
export const FILL_MS = 5
/** Number of stretches of a trial. The two modes alternate, so that a change of the load affects both. */
const STRETCHES = 4
/** Length of a stretch, idle time excluded: long enough that a pause of either process has little effect on the result. */
const STRETCH_MS = 150
const STRETCH_RUNS = 40
/** Factor by which taking turns must increase the throughput to be chosen. */
const WORTH_IT = 1.15
/** Delay before the first trial, in milliseconds. */
const WARM_UP_MS = 100
/** Pause between trials, in milliseconds. It doubles after each trial that changes nothing. */
const FIRST_PAUSE_MS = 2000
const LAST_PAUSE_MS = 16_000
/** Number of runs after which a statement counts as part of the present load. */
const OFTEN = 400
/** Number of runs after which the mean is a moving average, in which older runs lose weight. */
const RUNS_KNOWN = 1000
/** Minimum number of runs for a usable mean. */
const RUNS_NEEDED = 10

interface Sum {
  work: number
  ms: number
}

/**
 * Chooses how small statements are spread over the shared connections: in turn, or by filling one connection before the
 * next. Filling is the default, because a busy server process needs no wake-up. Short trials measure whether taking
 * turns clearly increases the throughput.
 */
export class LaneUse {
  #isFilling = false
  /** Are connections filled outside trials? */
  #settled = false
  readonly #isAlone: boolean
  #pauseMs = FIRST_PAUSE_MS
  #nextTrial = 0
  #lastEnd = 0
  /** Index of the stretch in the present trial; connections are filled in even ones. `-1`: no trial. */
  #stretch = -1
  #filled: Sum = { work: 0, ms: 0 }
  #turned: Sum = { work: 0, ms: 0 }
  // Start of the stretch.
  #since = 0
  /** Time at which the first statement that was sent in the stretch ended. */
  #counted = 0
  #idleMs = 0
  #runs = 0
  #work = 0

  /** @param count number of shared connections */
  constructor(count: number) {
    this.#isAlone = count < 2
  }

  /** Is a trial of both modes running? */
  get isTrial(): boolean {
    return this.#stretch !== -1
  }

  /**
   * Does a statement go to the first connection that has room for it? Otherwise it goes to the next connection in turn.
   * @param inFlight number of statements on all connections. The load does not serve here, since durations are longer in turns
   * @param typical statistics of the statement
   */
  fills(inFlight: number, typical: TypicalRun): boolean {
    return this.#isFilling && (this.isTrial || inFlight * typical.ms <= FILL_MS)
  }

  /** Excludes the idle time that has just ended from the stretch. @param now `performance.now()` */
  wasIdle(now: number): void {
    this.#idleMs += now - this.#lastEnd
  }

  /**
   * Records that a statement has ended.
   * @param typical statistics of the statement
   * @param ms time since it was sent, or since the preceding statement of its connection ended
   * @param sentAt time at which it was sent
   * @param now `performance.now()`
   */
  record(typical: TypicalRun, ms: number, sentAt: number, now: number): void {
    if (this.#isAlone) return
    this.#lastEnd = now
    if (++typical.seen === OFTEN) this.#startOver(now)
    if (this.#stretch === -1) {
      if (now >= this.#nextTrial) this.#beginTrial(now)
      return
    }
    // It was sent in an earlier stretch.
    if (sentAt < this.#since) return
    if (this.#isFilling) learn(typical, ms)
    if (this.#counted === 0) {
      this.#counted = now
      this.#idleMs = 0
      return
    }
    this.#runs++
    // Statements without a usable mean are not counted in either mode.
    if (typical.runs >= RUNS_NEEDED) this.#work += typical.ms
    const lasted = now - this.#counted - this.#idleMs
    if (lasted < STRETCH_MS || this.#runs < STRETCH_RUNS) return
    const sum = this.#isFilling ? this.#filled : this.#turned
    sum.work += this.#work
    sum.ms += lasted
    if (this.#stretch + 1 === STRETCHES) this.#endTrial(now)
    else this.#beginStretch(this.#stretch + 1, now)
  }

  /** Discards the results, because the load has changed since they were measured. */
  #startOver(now: number): void {
    this.#stretch = -1
    this.#isFilling = this.#settled
    this.#pauseMs = FIRST_PAUSE_MS
    this.#nextTrial = now + WARM_UP_MS
  }

  #beginTrial(now: number): void {
    this.#filled = { work: 0, ms: 0 }
    this.#turned = { work: 0, ms: 0 }
    this.#beginStretch(0, now)
  }

  #beginStretch(stretch: number, now: number): void {
    this.#stretch = stretch
    this.#isFilling = stretch % 2 === 0
    this.#since = now
    this.#counted = 0
    this.#runs = 0
    this.#work = 0
  }

  #endTrial(now: number): void {
    const was = this.#settled
    const isKnown = this.#filled.work > 0 && this.#turned.work > 0
    if (isKnown) this.#settled = rate(this.#turned) < rate(this.#filled) * WORTH_IT
    this.#pauseMs = this.#settled === was ? Math.min(LAST_PAUSE_MS, this.#pauseMs * 2) : FIRST_PAUSE_MS
    this.#nextTrial = now + this.#pauseMs
    this.#stretch = -1
    this.#isFilling = this.#settled
  }
}

function rate({ work, ms }: Sum): number {
  return work / ms
}

function learn(typical: TypicalRun, ms: number): void {
  if (typical.runs < RUNS_KNOWN) typical.runs++
  typical.ms += (ms - typical.ms) / typical.runs
}
