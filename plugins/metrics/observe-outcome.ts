import { isPromise, type MaybePromise } from '../../core/index.ts'

/** Runs `next`, tells one of both how it ended, and passes the outcome on as it is, at once where it came at once. */
export function observeOutcome<T>(
  next: () => MaybePromise<T>,
  succeeded: (value: T) => void,
  failed: (error: unknown) => void,
): MaybePromise<T> {
  const succeed = (value: T): T => {
    succeeded(value)
    return value
  }
  const fail = (error: unknown): never => {
    failed(error)
    throw error
  }
  let outcome: MaybePromise<T>
  try {
    outcome = next()
  } catch (error) {
    return fail(error)
  }
  return isPromise(outcome) ? outcome.then(succeed, fail) : succeed(outcome)
}
