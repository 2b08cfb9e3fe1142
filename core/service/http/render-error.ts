import type { PublicError } from '../../contract/public-error.ts'
import type { Reply } from '../../contract/reply.ts'

/**
 * Returns the headers that a reply with an error needs, whatever its format: `Cache-Control: no-store`, and, depending
 * on the error, `Retry-After`, `Allow`, `Accept-Encoding` and `WWW-Authenticate`.
 */
export function errorHeaders(error: PublicError): Record<string, string> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' }
  if (error.retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfter)))
  if (error.code === 'METHOD_NOT_ALLOWED' && Array.isArray(error.details.allow))
    headers.allow = error.details.allow.join(', ')
  if (error.code === 'UNSUPPORTED_MEDIA_TYPE' && typeof error.details.acceptEncoding === 'string')
    headers['accept-encoding'] = error.details.acceptEncoding
  if (error.status === 401) {
    headers['www-authenticate'] = error.challenge === undefined ? 'Bearer' : `Bearer error="${error.challenge}"`
  }
  return headers
}

/**
 * Creates a reply with an error as JSON: `{ "error": { code, message, details } }`. Fronts without an error format of
 * their own use it.
 */
export function renderError(error: PublicError): Reply {
  return {
    status: error.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...errorHeaders(error) },
    body: JSON.stringify({ error: { code: error.code, message: error.message, details: error.details } }),
  }
}
