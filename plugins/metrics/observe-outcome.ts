import { isPromise, type MaybePromise } from '../../core/doors/plugin.ts'

/**
 * Runs `next` and reports its outcome to one of both listeners. It returns the same promise or value, which adds no step to the chain.
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
