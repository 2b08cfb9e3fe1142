import { type Cancellable, unknownOutcome } from '../../../core/doors/driver.ts'
import { type Statement, SvcError } from '../../../core/doors/plugin.ts'

interface ServerError {
  readonly message: string
  readonly code: string
  readonly severity: string
  readonly routine?: string
  /** The functions it came through. Absent: the statement itself failed. */
  readonly where?: string
}

/** Did PostgreSQL itself say this (and not the socket, or `pg`)? */
export function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'severity' in error && error.severity !== undefined
}

/**
 * Is the connection gone with this error? Then nobody knows how far the statement came. The class of the error says
 * nothing: a function may raise any, and `dblink` says `08001` of a connection that is not ours.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-ASYNC
 */
export function isConnectionError(error: unknown): boolean {
  if (!isServerError(error)) return true
  const { code, severity, routine } = error
  if (severity === 'FATAL' || severity === 'PANIC') return true
  // `pg` knows the severity in the words of the server's language only; this is who ends a session on request.
  return code.startsWith('57P') && routine === 'ProcessInterrupts'
}

/** The server ended the session under the statement, and said so: what it had begun with is undone. */
export function isShutdown(error: unknown): boolean {
  return isServerError(error) && error.code === '57P01'
}

export function unavailable(message: string, cause?: unknown): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', message, { cause, retryAfter: 1 })
}

/** Did the server refuse to write, because the transaction is a read-only one? */
export function isReadOnlyRefusal(error: unknown): boolean {
  return isServerError(error) && error.code === '25006'
}

/** The error of a write in a read-only session: on a standby, or a primary that is being replaced. */
export function readOnlyServer(cause: unknown): SvcError {
  return unavailable('The database takes no writes now. Nothing was written.', cause)
}

/** Has the server, or a pooler in front of it, no room for one more connection? */
export function isOutOfConnections(error: unknown): boolean {
  if (!isServerError(error)) return false
  return error.code === '53300' || (error.code === '08P01' && /no more connections allowed/.test(error.message))
}

/** The error of a statement as it leaves the driver. */
export function toDriverFailure(error: unknown): unknown {
  if (error instanceof SvcError || !isConnectionError(error)) return error
  return unavailable('The connection to the database broke under the statement.', error)
}

/**
 * The same of a statement that may have been written when its connection broke: nobody knows whether it was.
 * @param commits a write that commits itself
 */
export function failureOf(error: unknown, commits: boolean): unknown {
  if (error instanceof SvcError) return error
  return commits && isConnectionError(error) && !isShutdown(error) ? unknownOutcome(error) : toDriverFailure(error)
}

export function abortedError(cancel: Cancellable | null): SvcError {
  return cancel?.abortReason === 'client'
    ? new SvcError('TIMEOUT', 'The client went away before the statement was done.', {
        details: { abortedBy: 'client' },
      })
    : new SvcError('TIMEOUT', 'The request outlived its deadline; its statement was cancelled.')
}

export const UNREACHABLE = 'The database cannot be reached.'

export const tooMany = (): unknown => unavailable('Too many requests are waiting for a database connection.')

const UNKNOWN_STATEMENT = '26000'
const STATEMENT_EXISTS = '42P05'
/** Where the server looks up and takes in the names of the protocol. */
const ROUTINES: Readonly<Record<string, string>> = {
  [UNKNOWN_STATEMENT]: 'FetchPreparedStatement',
  [STATEMENT_EXISTS]: 'StorePreparedStatement',
}
const FEATURE_NOT_SUPPORTED = '0A000'
const QUERY_CANCELED = '57014'

/**
 * The server did not know a statement that this connection had prepared, or had one that it had not: a pooler. A function
 * may raise the same states, about statements of its own or about none: it has run then, and must not run again.
 */
export function isPoolerSign(error: unknown): boolean {
  if (!isServerError(error) || error.where !== undefined) return false
  const expected = ROUTINES[error.code]
  // A pooler that answers by itself names no routine.
  return expected !== undefined && (error.routine === undefined || error.routine === expected)
}

/** Failed before it ran, for what was prepared under its name; prepared anew it may work. */
export function isStalePreparation(error: unknown, statement: Statement): boolean {
  if (statement.name === null || !isServerError(error)) return false
  if (isPoolerSign(error)) return true
  // "cached plan must not change result type"
  return error.code === FEATURE_NOT_SUPPORTED && error.routine === 'RevalidateCachedQuery' && error.where === undefined
}

/** Cancelled, which means rolled back, by somebody's request. */
export function isCancelled(error: unknown): boolean {
  return isServerError(error) && error.code === QUERY_CANCELED
}
