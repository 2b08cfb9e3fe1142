/** Number of concurrent connections of one statement that is always allowed. */
const NARROW = 4
/** Number of runs in one measurement. */
const ROUND = 40
/** Number of rounds before a step that did not pay off is tried again. It doubles each time. */
const FIRST_PAUSE = 2
const LAST_PAUSE = 64
/** Number of rounds after which all measurements are discarded. */
const ROUNDS_KNOWN = 250
/** Statements that take longer than this are not limited: measuring their effect on other statements would take too long. */
const LONG_MS = 250
const LONG_WEIGHT = 0.1

/**
 * Limits the number of connections on which one statement runs concurrently. When runs have to wait, it tries twice as
 * many connections. It keeps them if the runs do not slow each other down much, as on a server with idle processors.
 */
export class Spread {
  /** Connections of its own on which the statement runs, or for which it waits. */
  own = 0
  readonly #shared: number
  readonly #most: number
  #limit = NARROW
  /** Duration of a run on at most `NARROW` connections. 0: unknown. */
  #narrowMs = 0
  #rounds = 0
  #pause = 0
  #nextPause = FIRST_PAUSE
  // The present round of measurement.
  #runs = 0
  #ms = 0
  #widths = 0
  #wasRefused = false

  /**
   * @param shared number of connections that small statements share
   * @param most limit on the number of connections, shared ones included
   */
  constructor(shared: number, most: number) {
    this.#shared = shared
    this.#most = most
  }

  /** Tests whether the statement may use one more connection. @param isSmall it also runs on shared connections */
  mayWiden(isSmall: boolean): boolean {
    if (this.#narrowMs >= LONG_MS || this.#width(isSmall) < this.#limit) return true
    this.#wasRefused = true
    return false
  }

  /**
   * Records the duration of a run. Call it while the run still counts in `own`. The duration may include waiting in this
   * process: a process that is behind cannot use more connections either.
   */
  record(ms: number, isSmall: boolean): void {
    const width = this.#width(isSmall)
    const isNarrow = this.#limit === NARROW
    // If it takes as long on many connections as on few, the load did not cause the long duration.
    if (width > NARROW && this.#narrowMs >= LONG_MS) this.#narrowMs += (ms - this.#narrowMs) * LONG_WEIGHT
    // The run belongs to an earlier round, or too few ran concurrently to judge this one.
    if (isNarrow ? width > NARROW : width <= this.#limit / 2) return
    this.#runs++
    this.#ms += ms
    this.#widths += width
    const mean = this.#ms / this.#runs
    if (isNarrow && this.#rounds === 0) this.#narrowMs = mean
    if (this.#runs < ROUND) return
    this.#rounds++
    if (isNarrow) this.#narrowMs = mean
    this.#decide(mean / this.#narrowMs, this.#widths / ROUND / NARROW)
    this.#runs = 0
    this.#ms = 0
    this.#widths = 0
    this.#wasRefused = false
  }

  /** @param slowdown factor against a run on few connections @param turns the factor if connections only took turns */
  #decide(slowdown: number, turns: number): void {
    if (turns > 1 && slowdown > 1 + (turns - 1) / 2) {
      this.#limit /= 2
      this.#pause = this.#nextPause
      this.#nextPause = Math.min(LAST_PAUSE, this.#nextPause * 2)
    } else if (this.#rounds >= ROUNDS_KNOWN && this.#limit > NARROW) {
      this.#rounds = 1
      this.#limit = NARROW
      this.#pause = 0
    } else if (this.#pause > 0) {
      this.#pause--
    } else if (this.#wasRefused && this.#limit < this.#most) {
      this.#limit *= 2
    }
  }

  #width(isSmall: boolean): number {
    return Math.min(this.#most, isSmall ? this.#shared + this.own : this.own)
  }
}
