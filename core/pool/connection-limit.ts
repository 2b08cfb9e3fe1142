import type { Signals } from '../contract/signals.ts'

/** Fraction of the connections that slow statements and transactions cannot use. */
const KEPT_PART = 0.2
/** How long a refusal of the server counts before one more connection is requested. */
const RETRY_MS = 10_000

export interface ConnectionLimitOptions {
  /** Maximum number of connections from the configuration (`pool_max`). */
  readonly max: number
  /** Maximum number of connections that small statements share. */
  readonly shared: number
  readonly signals: Signals
  readonly retryMs?: number
}

/**
 * Maximum number of connections: `pool_max`, or fewer while the server refuses more. After a refusal, the number of
 * open connections is the maximum, and one more is tried from time to time.
 */
export class ConnectionLimit {
  readonly #max: number
  readonly #shared: number
  readonly #signals: Signals
  readonly #retryMs: number
  /** Number of open connections when the server refused one more; `null`: it refused none, or accepts more by now. */
  #granted: number | null = null
  /** The error of the last refusal, until it is reported. */
  #news: unknown = null
  #isTried = false
  #timer: NodeJS.Timeout | null = null
  /** Called when one more connection may be requested. */
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

  /** Number of connections of {@link max} that are reserved for small statements. */
  get kept(): number {
    const { max } = this
    return max === 1 ? 0 : Math.min(this.#shared, Math.max(1, Math.floor(max * KEPT_PART)))
  }

  /** Number of connections that the server grants, if fewer than `pool_max`. */
  get granted(): number | undefined {
    return this.#granted ?? undefined
  }

  /** @param open number of open connections, at least one */
  refused(open: number, error: unknown): void {
    const isNews = this.#granted === null
    this.#granted = open
    this.#isTried = false
    this.#timer ??= setTimeout(() => this.#retry(), this.#retryMs)
    this.#timer.unref()
    if (isNews) this.#news = error
  }

  /** Reports the limit, once no connection attempt is pending. */
  settled(): void {
    if (this.#news === null || this.#granted === null) return
    this.#signals.emit({ type: 'connections-refused', granted: this.#granted, wanted: this.#max, error: this.#news })
    this.#news = null
  }

  /** @param open number of open connections, including the new one */
  opened(open: number): void {
    if (this.#granted === null || open <= this.#granted) return
    if (!this.#isTried) {
      // Several were requested at once, and this one was accepted after another one was refused.
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
