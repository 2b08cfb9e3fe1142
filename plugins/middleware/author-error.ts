import { SvcError } from '../../core/doors/plugin.ts'

/**
 * Converts an error of the author's function. The author's module may load another installation of svc, whose
 * `SvcError` is a different class. Such an error is recognized by its name, and code, message and details are kept.
 */
export function authorError(error: unknown): unknown {
  if (error instanceof SvcError || !(error instanceof Error) || error.name !== 'SvcError') return error
  const { code, message, details, hasOwnStatus, retryAfter, cause } = error as Partial<SvcError> & Error
  // Absent in other versions of svc.
  const status = hasOwnStatus === false ? undefined : (error as Partial<SvcError>).status
  return typeof code === 'string' ? new SvcError(code, message, { details, status, retryAfter, cause }) : error
}
