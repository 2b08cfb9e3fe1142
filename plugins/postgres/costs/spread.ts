/** So many connections at once are never too many. */
const NARROW = 4
/** So many runs are one measurement. */
const ROUND = 40
/** A step that did not pay off is tried again after so many rounds, twice as many each time. */
const FIRST_PAUSE = 2
const LAST_PAUSE = 64
/** After so many rounds everything is measured anew. */
const ROUNDS_KNOWN = 250
/** What takes longer for itself is not held back: it would be long before one knew what it does to the others. */
const LONG_MS = 250
const LONG_WEIGHT = 0.1

/**
 * On how many connections one statement runs at once. Where the database waits for its disks or has processors to spare,
 * each further connection is that much more done per second. Where it has none to spare, statements only take turns
 * inside it, and all of them, short ones too, take longer. So twice as many are tried where some have to wait, and kept if
 * the time of a run rises by less than half of what taking turns would cost.
 */
export class Spread {
  /** Connections of its own that it runs on or waits for. */
  own = 0
  readonly #shared: number
  readonly #most: number
  #limit = NARROW
  /** How long a run takes on a few connections. 0 = not known. */
  #narrowMs = 0
  #rounds = 0
  #pause = 0
  #nextPause = FIRST_PAUSE
  // The round that is being measured.
  #runs = 0
  #ms = 0
  #widths = 0
  #wasRefused = false

  /**
   * @param shared connections that small statements have together
   * @param most connections that there can be, those included
   */
  constructor(shared: number, most: number) {
    this.#shared = shared
    this.#most = most
  }

  /** May it run on one more connection of its own? @param isSmall does it run on the shared ones too? */
  mayWiden(isSmall: boolean): boolean {
    if (this.#narrowMs >= LONG_MS || this.#width(isSmall) < this.#limit) return true
    this.#wasRefused = true
    return false
  }

  /**
   * It took so long, one run of it; to be called while that one still counts among its own. A time that includes waiting
   * in this process is welcome: a process that is behind has no use for more connections either.
   */
  record(ms: number, isSmall: boolean): void {
    const width = this.#width(isSmall)
    const isNarrow = this.#limit === NARROW
    // On many it takes as long as on few, or longer: what is not long there is not long.
    if (width > NARROW && this.#narrowMs >= LONG_MS) this.#narrowMs += (ms - this.#narrowMs) * LONG_WEIGHT
    // Of the rounds before, or too few at once to say anything about this one.
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

  /** @param slowdown against running on few @param turns the slowdown if connections only took turns */
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
