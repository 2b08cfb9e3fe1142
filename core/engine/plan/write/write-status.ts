import { SvcError } from '../../../base/errors/svc-error.ts'

/**
 * Words of `mutation_response.status` (docs/guides/mutations.md#status), as `word` or `word:reason`, in any case. A write with any other
 * word is rolled back, because svc cannot tell whether it succeeded.
 */
export const SUCCESS: readonly string[] = ['success', 'ok', 'new', 'created', 'updated', 'deleted', 'noop']
export const FAILURE: readonly string[] = ['failed', 'error', 'conflict', 'not_found', 'forbidden']

export function isSuccess(status: string): boolean {
  return SUCCESS.includes(wordOf(status))
}

/** Returns the word before the reason, in lower case. The SQL of a write parses the status in the same way. */
export function wordOf(status: string): string {
  const colon = status.indexOf(':')
  return (colon === -1 ? status : status.slice(0, colon)).toLowerCase()
}

/** Tests for `noop` and `noop:<reason>`: the mutation succeeded and wrote nothing. */
export function isNoop(status: string): boolean {
  return wordOf(status) === 'noop'
}

/** Failure that a function reported. Every member but the status may be `null`. */
export interface Failure {
  readonly status: string
  readonly message: string | null
  /** Form B: a code of the schema's author, and the field that failed. */
  readonly code: string | null
  readonly field: string | null
  /** Error class of a `mutation_response` in form C; otherwise `null`. */
  readonly errorClass: string | null
  readonly httpStatus: string | null
  /** JSON text with details of the error. */
  readonly detail: string | null
}

const OWN_CODE: Readonly<Record<string, string>> = {
  not_found: 'NOT_FOUND',
  forbidden: 'FORBIDDEN',
  conflict: 'CONFLICT',
}

/** Code and HTTP status by `error_class` of form C (docs/guides/mutations.md#two-older-forms-of-the-record). */
const CLASSES: Readonly<Record<string, readonly [code: string, status: number]>> = {
  validation: ['VALIDATION_ERROR', 422],
  conflict: ['CONFLICT', 409],
  not_found: ['NOT_FOUND', 404],
  unauthorized: ['UNAUTHENTICATED', 401],
  forbidden: ['FORBIDDEN', 403],
  internal: ['INTERNAL_SERVER_ERROR', 500],
  transaction_failed: ['TRANSACTION_FAILED', 500],
  timeout: ['TIMEOUT', 504],
  rate_limited: ['RATE_LIMITED', 429],
  service_unavailable: ['SERVICE_UNAVAILABLE', 503],
}

/**
 * The `cause` of an error that results from a failed status. Such an error fails one root field only, whatever its code
 * is.
 */
export class FailedStatus extends Error {}

/**
 * Converts a failed status into an error (docs/guides/mutations.md#status).
 * @param mutation wire name, for the message when the function returned none
 */
export function failureOf(failure: Failure, mutation: string): SvcError {
  const { status, message } = failure
  const colon = status.indexOf(':')
  const word = wordOf(status)
  const reason = colon === -1 ? '' : status.slice(colon + 1).trim()
  const byClass = failure.errorClass === null ? undefined : CLASSES[failure.errorClass.toLowerCase()]
  const own = failure.code === null || failure.code === '' ? (byClass?.[0] ?? OWN_CODE[word]) : codeOf(failure.code)
  const code = own ?? codeOf(reason)
  const details: Record<string, unknown> = {}
  if (reason !== '' && code !== reason.toUpperCase() && failure.errorClass === null) details.reason = reason
  if (failure.field !== null) details.field = failure.field
  if (failure.detail !== null && failure.detail !== 'null') details.detail = JSON.parse(failure.detail)
  return new SvcError(code, message !== null && message !== '' ? message : `${mutation}: ${reason || word}`, {
    details: Object.keys(details).length === 0 ? undefined : details,
    cause: new FailedStatus(`The function gave the status "${status}"`),
    status: httpStatus(failure.httpStatus) ?? byClass?.[1],
  })
}

/** Parses `http_status`. Numbers outside 400 to 599 are ignored: clients would not treat them as an error. */
function httpStatus(text: string | null): number | undefined {
  const status = Number(text ?? 0)
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined
}

/** Converts a reason to a code: `out of stock` to `OUT_OF_STOCK`. A reason that gives no valid code becomes INVALID_INPUT. */
function codeOf(reason: string): string {
  const code = reason
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[A-Z]/.test(code) && !code.startsWith('SVC_') ? code : 'INVALID_INPUT'
}
