import { isPromise, type MaybePromise } from '../../core/doors/plugin.ts'

/**
 * Runs `next`, reports its outcome to a listener, and returns its result unchanged.
 * @param succeeded called with the result; must not throw
 * @param failed called with the error; must not throw
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
