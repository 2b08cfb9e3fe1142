/** Thresholds of a circuit breaker, named as in the configuration (docs/plugins/circuit-breaker.md#options). */
export interface Thresholds {
  readonly failure_threshold: number
  readonly recovery_timeout_secs: number
  readonly success_threshold: number
}

export type BreakerState = 'closed' | 'open' | 'half_open'
/**
 * What the outcome of a request says about the database. `neutral`: nothing, for example because the input was invalid
 * or the client disconnected.
 */
export type Outcome = 'success' | 'failure' | 'neutral'

/** Permission of a circuit breaker to run a request. Its holder must report the outcome with `Breaker.settle`. */
export interface Ticket {
  /**
   * Number of state changes of the circuit breaker before the request. It ignores an outcome that arrives after a
   * further change.
   */
  readonly turn: number
}

/** Rejection of a request by an open circuit breaker. `retryAfter`: seconds until it may allow a request again. */
export interface Refusal {
  readonly retryAfter: number
}

/**
 * Circuit breaker of one entity type (docs/plugins/circuit-breaker.md#states). Consecutive failures open it. After a
 * pause, it is half-open: it allows one request at a time, and closes or opens again by their outcomes.
 */
export class Breaker {
  readonly #thresholds: Thresholds
  /** Milliseconds of a monotonic clock. */
  readonly #now: () => number
  readonly #onOpen: () => void
  #state: BreakerState = 'closed'
  #turn = 0
  /** Consecutive failures while closed; successful probes while half-open. */
  #count = 0
  #openedAt = 0
  /** The running probe; `null`: none. */
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

  /** Asks to run a request. A caller with a ticket must report the outcome by {@link Breaker.settle}. */
  enter(): Ticket | Refusal {
    if (this.#state === 'closed') return { turn: this.#turn }
    const now = this.#now()
    if (this.#probe !== null) {
      const left = this.#probedAt + this.#recoveryMs - now
      if (left > 0) return { retryAfter: seconds(left) }
      // A probe without an outcome counts as failed, so that it cannot block all others for ever.
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
