import { SvcError } from '../../core/index.ts'

/**
 * What a function of the author's threw. Its module may have found another installation of svc, with its own class of
 * errors: code, message and details count, whoever made them.
 */
export function authorError(error: unknown): unknown {
  if (error instanceof SvcError || !(error instanceof Error) || error.name !== 'SvcError') return error
  const { code, message, details, status, retryAfter, cause } = error as Partial<SvcError> & Error
  return typeof code === 'string' ? new SvcError(code, message, { details, status, retryAfter, cause }) : error
}
