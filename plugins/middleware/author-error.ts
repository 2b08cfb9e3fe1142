import { SvcError } from '../../core/doors/plugin.ts'

/**
 * Converts an error of the schema author's function, which can be an `SvcError` of another installation of svc. It
 * returns such an error as an `SvcError` of this installation, and any other value unchanged.
 */
export function authorError(error: unknown): unknown {
  if (error instanceof SvcError || !(error instanceof Error) || error.name !== 'SvcError') return error
  const { code, message, details, hasOwnStatus, retryAfter, cause } = error as Partial<SvcError> & Error
  // Absent in other versions of svc.
  const status = hasOwnStatus === false ? undefined : (error as Partial<SvcError>).status
  return typeof code === 'string' ? new SvcError(code, message, { details, status, retryAfter, cause }) : error
}
