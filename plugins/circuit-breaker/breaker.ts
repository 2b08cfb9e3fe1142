/** What the configuration says of a circuit. */
export interface Thresholds {
  readonly failure_threshold: number
  readonly recovery_timeout_secs: number
  readonly success_threshold: number
}

export type BreakerState = 'closed' | 'open' | 'half_open'
/** `neutral`: it says nothing of the database, as a request that was refused for what was sent, or whose client left. */
export type Outcome = 'success' | 'failure' | 'neutral'

/** A request that was let through. */
export interface Ticket {
  /** Of the state that let it through: what comes back later says nothing of the states behind it. */
  readonly turn: number
}

/** A request that was not: seconds until the next one may be. */
export interface Refusal {
  readonly retryAfter: number
}

/**
 * The states of one entity (spec "States and transitions"): closed → open → half-open → closed, or open again. Only failures in
 * a row open it; half-open lets one request through at a time.
 */
export class Breaker {
  readonly #thresholds: Thresholds
  /** Milliseconds of a clock that never goes back. */
  readonly #now: () => number
  readonly #onOpen: () => void
  #state: BreakerState = 'closed'
  #turn = 0
  /** Failures in a row while closed, probes that succeeded while half-open. */
  #count = 0
  #openedAt = 0
  /** The probe that is under way; `null`: there is none. */
  #probe: Ticket | null = null
  #probedAt = 0

  constructor(thresholds: Thresholds, now: () => number, onOpen: () => void = () => {}) {
    this.#thresholds = thresholds
    this.#now = now
    this.#onOpen = onOpen
  }

  get state(): BreakerState {
    return this.#state
  }

  /** May a request go through? Whoever is let through tells what became of it ({@link Breaker.settle}). */
  enter(): Ticket | Refusal {
    if (this.#state === 'closed') return { turn: this.#turn }
    const now = this.#now()
    if (this.#probe !== null) {
      const left = this.#probedAt + this.#recoveryMs - now
      if (left > 0) return { retryAfter: seconds(left) }
      // A probe that nobody hears of has failed: it must not keep all others out for ever.
      this.#open(now)
    }
    if (this.#state === 'open') {
      const left = this.#openedAt + this.#recoveryMs - now
      if (left > 0) return { retryAfter: seconds(left) }
      this.#become('half_open')
    }
    this.#probedAt = now
    this.#probe = { turn: this.#turn }
    return this.#probe
  }

  settle(ticket: Ticket, outcome: Outcome): void {
    const isProbe = this.#state === 'half_open'
    if (ticket.turn !== this.#turn || (isProbe && ticket !== this.#probe)) return
    this.#probe = null
    if (outcome === 'neutral') return
    if (outcome === 'failure') {
      if (isProbe || ++this.#count >= this.#thresholds.failure_threshold) this.#open(this.#now())
    } else if (!isProbe) this.#count = 0
    else if (++this.#count >= this.#thresholds.success_threshold) this.#become('closed')
  }

  get #recoveryMs(): number {
    return this.#thresholds.recovery_timeout_secs * 1000
  }

  #open(now: number): void {
    this.#become('open')
    this.#openedAt = now
    this.#onOpen()
  }

  #become(state: BreakerState): void {
    this.#state = state
    this.#turn++
    this.#count = 0
    this.#probe = null
  }
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

export function isRefusal(entered: Ticket | Refusal): entered is Refusal {
  return 'retryAfter' in entered
}
