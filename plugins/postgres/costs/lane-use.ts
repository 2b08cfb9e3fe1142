import type { TypicalRun } from './statement-costs.ts'

/**
 * So much work one connection is given before the next gets some, and no more in all: what takes more than one processor
 * of the database takes turns.
 */
export const FILL_MS = 5
/** A trial is so many stretches, in one way and in the other in turn: what changes meanwhile changes both. */
const STRETCHES = 4
/** Each takes so long, not counting when nothing runs: long enough for a pause of either process to pass for one. */
const STRETCH_MS = 150
const STRETCH_RUNS = 40
/** Taking turns has to get so much more done. */
const WORTH_IT = 1.15
/** Before the first trial, milliseconds. */
const WARM_UP_MS = 100
/** Between trials; twice as long after each that changed nothing. */
const FIRST_PAUSE_MS = 2000
const LAST_PAUSE_MS = 16_000
/** A statement that has run so often belongs to what is asked for now. */
const OFTEN = 400
/** The mean of so many runs is known well enough; older ones count for less. */
const RUNS_KNOWN = 1000
/** So many runs are a mean. */
const RUNS_NEEDED = 10

interface Sum {
  work: number
  ms: number
}

/**
 * Do the connections that small statements share take turns, or is one filled before the next gets some? Filled, where
 * turns would not get clearly more done: one process of the database that always has work needs no waking, takes no turns
 * with others on a processor, and waits for no lock that another one holds.
 */
export class LaneUse {
  #isFilling = false
  /** Outside of trials. */
  #settled = false
  readonly #isAlone: boolean
  #pauseMs = FIRST_PAUSE_MS
  #nextTrial = 0
  #lastEnd = 0
  /** Of the trial; in even ones one is filled. `-1` = there is none. */
  #stretch = -1
  #filled: Sum = { work: 0, ms: 0 }
  #turned: Sum = { work: 0, ms: 0 }
  // Of the stretch.
  #since = 0
  /** When the first statement that was sent in it had run. */
  #counted = 0
  #idleMs = 0
  #runs = 0
  #work = 0

  /** @param count shared connections that there are */
  constructor(count: number) {
    this.#isAlone = count < 2
  }

  /** Is it being tried what either way does? */
  get isTrial(): boolean {
    return this.#stretch !== -1
  }

  /**
   * Does a statement go to the first connection that has room for it? If not, to the one whose turn it is.
   * @param inFlight statements on all of them. Not their load: that is what they take now, more where they take turns
   * @param typical what is known of the statement
   */
  fills(inFlight: number, typical: TypicalRun): boolean {
    return this.#isFilling && (this.isTrial || inFlight * typical.ms <= FILL_MS)
  }

  /** Nothing was running until now. @param now `performance.now()` */
  wasIdle(now: number): void {
    this.#idleMs += now - this.#lastEnd
  }

  /**
   * A statement has run.
   * @param typical what is known of it
   * @param ms since it was sent, or the one before it on its connection had run
   * @param sentAt when it was sent
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
    // Sent in the stretch before.
    if (sentAt < this.#since) return
    if (this.#isFilling) learn(typical, ms)
    if (this.#counted === 0) {
      this.#counted = now
      this.#idleMs = 0
      return
    }
    this.#runs++
    // Unknown statements count in neither.
    if (typical.runs >= RUNS_NEEDED) this.#work += typical.ms
    const lasted = now - this.#counted - this.#idleMs
    if (lasted < STRETCH_MS || this.#runs < STRETCH_RUNS) return
    const sum = this.#isFilling ? this.#filled : this.#turned
    sum.work += this.#work
    sum.ms += lasted
    if (this.#stretch + 1 === STRETCHES) this.#endTrial(now)
    else this.#beginStretch(this.#stretch + 1, now)
  }

  /** What is asked for now is not what was measured. */
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
