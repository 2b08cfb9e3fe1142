/** `retry` of an observer, whole. */
export interface RetryPolicy {
  /** All attempts, the first included. */
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

/** What a delay is multiplied with, so that those who failed together do not come back together. */
const JITTER = [0.75, 1.25] as const

/**
 * Milliseconds until the next attempt.
 * @param attempts that were made, from 1
 * @param atLeastMs what the target asked for
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
