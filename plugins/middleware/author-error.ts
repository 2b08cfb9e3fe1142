import { SvcError } from '../../core/doors/plugin.ts'

/**
 * What a function of the author's threw. Its module may have found another installation of svc, with its own class of
 * errors: code, message and details count, whoever made them.
 */
export function authorError(error: unknown): unknown {
  if (error instanceof SvcError || !(error instanceof Error) || error.name !== 'SvcError') return error
  const { code, message, details, hasOwnStatus, retryAfter, cause } = error as Partial<SvcError> & Error
  // Another version of svc says nothing of it.
  const status = hasOwnStatus === false ? undefined : (error as Partial<SvcError>).status
  return typeof code === 'string' ? new SvcError(code, message, { details, status, retryAfter, cause }) : error
}
