/** The key `retry` of an observer in `schema.json`, with defaults filled in. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly max_attempts: number
  readonly backoff_strategy: 'exponential' | 'linear' | 'fixed'
  readonly initial_delay_ms: number
  readonly max_delay_ms: number
}

export const DEFAULT_RETRY: RetryPolicy = Object.freeze({
  max_attempts: 3,
  backoff_strategy: 'exponential',
  initial_delay_ms: 100,
  max_delay_ms: 30_000,
})

/** Range of the random factor of a delay, so that deliveries that failed together are not retried together. */
const JITTER = [0.75, 1.25] as const

/**
 * Returns the delay in milliseconds before the next attempt of a delivery, with a random deviation.
 * @param attempts number of attempts so far, from 1
 * @param atLeastMs minimum delay that the target requested with `Retry-After`
 * @param random returns a number from 0 to 1
 */
export function delayBefore(
  { backoff_strategy: strategy, initial_delay_ms: initial, max_delay_ms: most }: RetryPolicy,
  attempts: number,
  atLeastMs = 0,
  random: () => number = Math.random,
): number {
  const steps = strategy === 'fixed' ? 1 : strategy === 'linear' ? attempts : 2 ** Math.min(attempts - 1, 40)
  const [least, greatest] = JITTER
  const jittered = initial * steps * (least + (greatest - least) * random())
  return Math.round(Math.max(Math.min(jittered, most), atLeastMs))
}

/** A timer for several scheduled times, which fires at the earliest of them. */
export class DueTimer {
  readonly #fire: () => void
  #timer: NodeJS.Timeout | null = null
  #dueAt = 0

  constructor(fire: () => void) {
    this.#fire = fire
  }

  schedule(delayMs: number): void {
    const at = Date.now() + delayMs
    if (this.#timer !== null && this.#dueAt <= at) return
    this.stop()
    this.#dueAt = at
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#fire()
    }, delayMs)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
