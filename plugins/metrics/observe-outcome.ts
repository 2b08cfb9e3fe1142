import { isPromise, type MaybePromise } from '../../core/doors/plugin.ts'

/**
 * Runs `next`, tells one of both how it ended, and hands on what it gave, the very same: then it costs the chain nothing.
 * @param succeeded must not throw
 * @param failed must not throw
 */
export function observeOutcome<T>(
  next: () => MaybePromise<T>,
  succeeded: (value: T) => void,
  failed: (error: unknown) => void,
): MaybePromise<T> {
  let outcome: MaybePromise<T>
  try {
    outcome = next()
  } catch (error) {
    failed(error)
    throw error
  }
  if (isPromise(outcome)) outcome.then(succeeded, failed)
  else succeeded(outcome)
  return outcome
}
