import { type Result, SvcError } from '../../core/doors/plugin.ts'
import type { Outcome } from './breaker.ts'

/**
 * Of what was thrown: only a database that cannot be had, or does not answer in time, counts.
 * @param isSlow says whether it is the database that a deadline was waiting for
 */
export function outcomeOfFailure(error: unknown, isSlow: () => boolean): Outcome {
  if (!(error instanceof SvcError)) return 'neutral'
  const { code } = error
  if (code === 'TIMEOUT') return error.details?.abortedBy !== 'client' && isSlow() ? 'failure' : 'neutral'
  return code === 'SERVICE_UNAVAILABLE' || code === 'DATABASE_UNAVAILABLE' ? 'failure' : 'neutral'
}

/** Of a result, as far as these roots are concerned. A stream has only begun; a root that failed may not have been asked for. */
export function outcomeOfResult({ errors, stream }: Result, keys: readonly string[]): Outcome {
  // Of a relation that leads into another database it is that one which failed.
  const own = (errors ?? []).filter((error) => keys.some((key) => failedWhole(error, key)))
  if (own.some((error) => error.code === 'DATABASE_UNAVAILABLE' && error.details?.database !== undefined)) {
    return 'failure'
  }
  const isUnknown = stream !== undefined || keys.every((key) => own.some((error) => failedWhole(error, key)))
  return isUnknown ? 'neutral' : 'success'
}

function failedWhole({ path }: SvcError, key: string): boolean {
  return path === undefined || (path.length === 1 && path[0] === key)
}
