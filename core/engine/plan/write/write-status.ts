import { SvcError } from '../../../base/errors/svc-error.ts'

/**
 * Words in `mutation_response.status` that mean success (docs/guides/mutations.md#status), as `word` or `word:reason`,
 * in any case. {@link FAILURE} has those that mean failure. A write with any other word is rolled back, because svc
 * cannot tell whether it succeeded.
 */
export const SUCCESS: readonly string[] = ['success', 'ok', 'new', 'created', 'updated', 'deleted', 'noop']
export const FAILURE: readonly string[] = ['failed', 'error', 'conflict', 'not_found', 'forbidden']

export function isSuccess(status: string): boolean {
  return SUCCESS.includes(wordOf(status))
}

/**
 * Returns the word before the colon of a status such as `failed:reason`, in lower case. The SQL of mutations does the
 * same.
 */
export function wordOf(status: string): string {
  const colon = status.indexOf(':')
  return (colon === -1 ? status : status.slice(0, colon)).toLowerCase()
}

/** Tests for the status `noop` or `noop:<reason>`: the mutation succeeded and wrote nothing. */
export function isNoop(status: string): boolean {
  return wordOf(status) === 'noop'
}

/**
 * The members of `mutation_response` with which a function reported a failure. `null`: the function did not return the
 * member.
 */
export interface Failure {
  readonly status: string
  readonly message: string | null
  /**
   * Error code that the author of the function chose, and `field`, the field that failed: columns of an older form of
   * `mutation_response` (docs/guides/mutations.md#two-older-forms-of-the-record).
   */
  readonly code: string | null
  readonly field: string | null
  /** Class of the error, such as `validation`: column `error_class` of the other older form of `mutation_response`. */
  readonly errorClass: string | null
  readonly httpStatus: string | null
  /** JSON text with details of the error: a column of the same older form of `mutation_response` as `error_class`. */
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
 * The `cause` of an error that a function reported by its status. Such an error fails only its root field, whatever its
 * code.
 */
export class FailedStatus extends Error {}

/**
 * Converts a failure that a mutation's function reported to the error for the client (docs/guides/mutations.md#status).
 * @param mutation name of the mutation, for the message if the function returned none
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
