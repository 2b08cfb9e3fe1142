import type pg from 'pg'
import { unavailable, unknownOutcome } from '../../../core/doors/driver.ts'
import { type Statement, SvcError } from '../../../core/doors/plugin.ts'

interface ServerError {
  readonly message: string
  readonly code: string
  readonly severity: string
  readonly routine?: string
  /** Stack of functions in which the error occurred. Absent: it occurred in the statement itself. */
  readonly where?: string
}

/** Tests whether an error was sent by PostgreSQL, and not raised by the socket or the package `pg`. */
export function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'severity' in error && error.severity !== undefined
}

/**
 * Tests whether an error ended its connection, so that the outcome of the statement is unknown. The SQLSTATE is no
 * evidence, because functions can raise any.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-ASYNC
 */
export function isConnectionError(error: unknown): boolean {
  if (!isServerError(error)) return true
  const { code, severity, routine } = error
  if (severity === 'FATAL' || severity === 'PANIC') return true
  // `pg` has the severity only in the language of the server; this routine of the server ends a session on request.
  return code.startsWith('57P') && routine === 'ProcessInterrupts'
}

/** Tests whether the server ended the session during a statement and said so. The statement is then rolled back. */
export function isShutdown(error: unknown): boolean {
  return isServerError(error) && error.code === '57P01'
}

/** Tests whether PostgreSQL rejected a write because the transaction is read-only. */
export function isReadOnlyRefusal(error: unknown): boolean {
  return isServerError(error) && error.code === '25006'
}

/**
 * Creates the error for a write to a server that is read-only, such as a standby or a primary that is being replaced.
 */
export function readOnlyServer(cause: unknown): SvcError {
  return unavailable('The database takes no writes now. Nothing was written.', cause)
}

/** Tests whether the server, or a pooler in front of it, rejected a connection because its limit is reached. */
export function isOutOfConnections(error: unknown): boolean {
  if (!isServerError(error)) return false
  return error.code === '53300' || (error.code === '08P01' && /no more connections allowed/.test(error.message))
}

/**
 * Converts an error of a statement to the error that callers receive: SERVICE_UNAVAILABLE for a broken connection,
 * otherwise the error itself.
 */
export function toDriverFailure(error: unknown): unknown {
  if (error instanceof SvcError || !isConnectionError(error)) return error
  return unavailable('The connection to the database broke under the statement.', error)
}

/**
 * Converts an error like {@link toDriverFailure}. If the connection broke during a write outside of a transaction, the
 * error says that its outcome is unknown.
 * @param commits `true` for such a write
 */
export function failureOf(error: unknown, commits: boolean): unknown {
  if (error instanceof SvcError) return error
  return commits && isConnectionError(error) && !isShutdown(error) ? unknownOutcome(error) : toDriverFailure(error)
}

const UNKNOWN_STATEMENT = '26000'
const STATEMENT_EXISTS = '42P05'
/** Routines of the server that look up and create the names of the protocol. */
const ROUTINES: Readonly<Record<string, string>> = {
  [UNKNOWN_STATEMENT]: 'FetchPreparedStatement',
  [STATEMENT_EXISTS]: 'StorePreparedStatement',
}
const FEATURE_NOT_SUPPORTED = '0A000'
const QUERY_CANCELED = '57014'

/**
 * Tests whether an error shows that a connection pooler is in front of the server: a prepared statement is unknown to
 * the server, or one exists that this connection did not prepare. Errors that functions raise do not count.
 */
export function isPoolerSign(error: unknown): boolean {
  if (!isServerError(error) || error.where !== undefined) return false
  const expected = ROUTINES[error.code]
  // An error from the pooler itself has no routine.
  return expected !== undefined && (error.routine === undefined || error.routine === expected)
}

/**
 * Tests whether a statement failed before it ran, because the server no longer has it prepared or its tables changed.
 * It may then be prepared and run again.
 */
export function isStalePreparation(error: unknown, statement: Statement): boolean {
  if (statement.name === null || !isServerError(error)) return false
  if (isPoolerSign(error)) return true
  // "cached plan must not change result type"
  return error.code === FEATURE_NOT_SUPPORTED && error.routine === 'RevalidateCachedQuery' && error.where === undefined
}

/** Tests whether a statement failed because it was cancelled. It is then rolled back. */
export function isCancelled(error: unknown): boolean {
  return isServerError(error) && error.code === QUERY_CANCELED
}

/** The first version whose errors name the parameter: `unnamed portal parameter $1`. */
const NAMES_PARAMETERS = 14

/** An error of the server, as the package `pg` passes it to its listeners. */
interface ErrorMessage {
  readonly position?: string
  readonly where?: string
  ofParameter?: boolean
}

interface Messages {
  on(event: 'bindComplete' | 'commandComplete' | 'emptyQuery' | 'readyForQuery', listener: () => void): void
  prependListener(event: 'errorMessage', listener: (error: ErrorMessage) => void): void
}

/**
 * Marks the errors of PostgreSQL 13 about the text of a parameter with `ofParameter`. Later versions name the parameter in
 * the context of the error. Version 13 does not, but an error between Parse and the answer to Bind is about a parameter: no row
 * has been read yet. Errors of Parse have a position.
 * @param client a connected client
 * @param version `server_version` of the server
 */
export function markParameterErrors(client: pg.Client, version: string | undefined): void {
  if (!(Number.parseInt(version ?? '', 10) < NAMES_PARAMETERS)) return
  const { connection } = client as unknown as { readonly connection: Messages }
  let isBound = false
  const ends = (): void => {
    isBound = false
  }
  connection.on('bindComplete', () => {
    isBound = true
  })
  connection.on('commandComplete', ends)
  connection.on('emptyQuery', ends)
  connection.on('readyForQuery', ends)
  // Before the listener of `pg`, which fails the statement.
  connection.prependListener('errorMessage', (error) => {
    if (!isBound && error.where === undefined && error.position === undefined) error.ofParameter = true
  })
}
