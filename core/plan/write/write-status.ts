import { SvcError } from '../../errors/svc-error.ts'

/**
 * The words of `mutation_response.status` (behaviours 5.1). One word, or `word:reason`; case does not matter. Any other
 * word breaks the contract: its write is rolled back, because nobody can say whether it was meant as a success.
 */
export const SUCCESS: readonly string[] = ['success', 'ok', 'new', 'created', 'updated', 'deleted', 'noop']
export const FAILURE: readonly string[] = ['failed', 'error', 'conflict', 'not_found', 'forbidden']

export function isSuccess(status: string): boolean {
  return SUCCESS.includes(wordOf(status))
}

/** The word before the reason. The statement of a write takes it in the same way. */
export function wordOf(status: string): string {
  const colon = status.indexOf(':')
  return (colon === -1 ? status : status.slice(0, colon)).toLowerCase()
}

/** `noop`, `noop:<reason>`: succeeded without a write. */
export function isNoop(status: string): boolean {
  return wordOf(status) === 'noop'
}

/** What a function said about a failure. All but the status may be missing. */
export interface Failure {
  readonly status: string
  readonly message: string | null
  /** Form B: a code of the author's own, and the field it is about. */
  readonly code: string | null
  readonly field: string | null
  /** Form C. */
  readonly errorClass: string | null
  readonly httpStatus: string | null
  /** JSON text. */
  readonly detail: string | null
}

const OWN_CODE: Readonly<Record<string, string>> = {
  not_found: 'NOT_FOUND',
  forbidden: 'FORBIDDEN',
  conflict: 'CONFLICT',
}

/** `error_class` of form C (behaviours 5.1) → code and HTTP status. */
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

/** What stands behind the error of a failed status: it is about the root whose function said it, whatever its code. */
export class FailedStatus extends Error {}

/**
 * The error that a failed status means (decisions "Mutations", behaviours 5.6).
 * @param mutation wire name, for the message of a function that gave none
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

/** One that says that it succeeded, or that more is to come, is none of an error: clients would wait, or read no body. */
function httpStatus(text: string | null): number | undefined {
  const status = Number(text ?? 0)
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined
}

/** `out of stock` → `OUT_OF_STOCK`; what cannot be a code is INVALID_INPUT. */
function codeOf(reason: string): string {
  const code = reason
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[A-Z]/.test(code) && !code.startsWith('SVC_') ? code : 'INVALID_INPUT'
}
