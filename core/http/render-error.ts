import { randomUUID } from 'node:crypto'
import { SvcError } from '../errors/svc-error.ts'
import type { Reply } from '../front/reply.ts'
import type { Signals } from '../signals/signals.ts'

/** What may leave the process about a failure. */
export interface PublicError {
  readonly code: string
  readonly message: string
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfter: number | undefined
}

/**
 * The public form of anything that was thrown. What is not an exposed `SvcError` becomes INTERNAL_SERVER_ERROR (or
 * keeps its code, when that is a database one) with an `errorId` under which the log has the truth.
 */
export function toPublicError(error: unknown, requestId: string, signals: Signals): PublicError {
  if (error instanceof SvcError && error.exposed && error.status < 500) {
    return {
      code: error.code,
      message: error.message,
      status: error.status,
      details: error.details ?? {},
      retryAfter: error.retryAfter,
    }
  }
  const errorId = randomUUID()
  const exposed = error instanceof SvcError && error.exposed
  const code = exposed ? error.code : 'INTERNAL_SERVER_ERROR'
  signals.emit({ type: 'request-failed', requestId, errorId, code, error })
  return {
    code,
    message: exposed ? error.message : 'An internal error occurred.',
    status: exposed ? error.status : 500,
    details: exposed ? { ...error.details, errorId } : { errorId },
    retryAfter: exposed ? error.retryAfter : undefined,
  }
}

/** Headers that belong to an error whatever its body's shape: `Retry-After`, `Allow`, `WWW-Authenticate`. */
export function errorHeaders(error: PublicError): Record<string, string> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' }
  if (error.retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfter)))
  if (error.code === 'METHOD_NOT_ALLOWED' && Array.isArray(error.details.allow))
    headers.allow = error.details.allow.join(', ')
  if (error.status === 401) headers['www-authenticate'] = 'Bearer'
  return headers
}

/** The default shape, REST's: `{ "error": { code, message, details } }` (spec "REST errors"). */
export function renderError(error: PublicError): Reply {
  return {
    status: error.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...errorHeaders(error) },
    body: JSON.stringify({ error: { code: error.code, message: error.message, details: error.details } }),
  }
}
