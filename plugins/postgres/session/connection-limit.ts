import type { Signals } from '../../../core/doors/plugin.ts'

/** Part of the connections that slow statements and transactions never get. */
const KEPT_PART = 0.2
/** How long the server is believed before one more connection is requested again. */
const RETRY_MS = 10_000

export interface ConnectionLimitOptions {
  /** `pool_max`. */
  readonly max: number
  /** Connections that small statements share, at most. */
  readonly shared: number
  readonly signals: Signals
  readonly retryMs?: number
}

/**
 * How many connections there may be: `pool_max`, or fewer as long as the server refuses more (the limit of a role, of a database, of
 * the server). What was refused is the limit; after a while one more is tried.
 */
export class ConnectionLimit {
  readonly #max: number
  readonly #shared: number
  readonly #signals: Signals
  readonly #retryMs: number
  /** Connections that stood when the server refused one more; `null`: it has refused none, or takes more by now. */
  #granted: number | null = null
  /** Why the server refused one, as long as nobody has heard of it. */
  #news: unknown = null
  #isTried = false
  #timer: NodeJS.Timeout | null = null
  /** Called when one more may be requested again. */
  onRetry: () => void = () => {}

  constructor({ max, shared, signals, retryMs = RETRY_MS }: ConnectionLimitOptions) {
    this.#max = max
    this.#shared = shared
    this.#signals = signals
    this.#retryMs = retryMs
  }

  get max(): number {
    return this.#granted === null || this.#isTried ? this.#max : this.#granted
  }

  /** Connections of {@link max} that are never one caller's own. */
  get kept(): number {
    const { max } = this
    return max === 1 ? 0 : Math.min(this.#shared, Math.max(1, Math.floor(max * KEPT_PART)))
  }

  /** Number of connections that the server grants, if fewer than `pool_max`. */
  get granted(): number | undefined {
    return this.#granted ?? undefined
  }

  /** @param open connections that stand, at least one */
  refused(open: number, error: unknown): void {
    const isNews = this.#granted === null
    this.#granted = open
    this.#isTried = false
    this.#timer ??= setTimeout(() => this.#retry(), this.#retryMs)
    this.#timer.unref()
    if (isNews) this.#news = error
  }

  /** No answer of the server is outstanding, so that the number is what it grants. */
  settled(): void {
    if (this.#news === null || this.#granted === null) return
    this.#signals.emit({ type: 'connections-refused', granted: this.#granted, wanted: this.#max, error: this.#news })
    this.#news = null
  }

  /** @param open connections that stand, the new one included */
  opened(open: number): void {
    if (this.#granted === null || open <= this.#granted) return
    if (!this.#isTried) {
      // Several were requested at once, and this answer was later than the refusal of another.
      this.#granted = open
      return
    }
    this.#granted = null
    this.#signals.emit({ type: 'connections-granted' })
  }

  #retry(): void {
    this.#timer = null
    this.#isTried = true
    this.onRetry()
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
