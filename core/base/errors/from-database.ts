import { SvcError } from './svc-error.ts'

/** Fields of a driver's error, named as in the PostgreSQL protocol (chapter "Error and Notice Message Fields"). */
interface DriverError {
  readonly code: string
  /** PostgreSQL: an error of severity `ERROR` leaves the connection usable, with every SQLSTATE class. */
  readonly severity?: string
  readonly message?: string
  readonly detail?: string
  readonly hint?: string
  readonly where?: string
  readonly column?: string
  readonly constraint?: string
  readonly routine?: string
  /** Set by a driver for an error about the text of a parameter, if the server does not say so in `where`. */
  readonly ofParameter?: boolean
}

export interface DatabaseErrorContext {
  /** View, table or function of the statement, as in `sql_source`. */
  readonly source?: string | null | undefined
}

const SQLSTATE = /^[0-9A-Z]{5}$/
const NETWORK = /^(?:ECONN|EPIPE$|ENOTFOUND$|ETIMEDOUT$|EAI_|EHOST|ENET|ENOENT$|EACCES$)/
const CODE_LIKE = /^(?!SVC_)[A-Z][A-Z0-9_]*$/
/** SQLSTATEs of a statement whose view, column or function was dropped or changed after the schema was compiled. */
const STALE = new Set(['0A000', '3F000', '42P01', '42703', '42704', '42725', '42804', '42809', '42883'])

/**
 * Tests whether a statement failed because a view, column or function was dropped or changed after the schema was
 * compiled. Checks the error and up to four levels of its `cause`.
 * @param error error of a request, usually an `SvcError` with the driver's error as its cause
 */
export function isStaleSchema(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    if (isDriverError(each) && STALE.has(each.code)) return true
  }
  return false
}

/** First (outermost) parentheses of `Key (a, b)=(1, 2) already exists.`, in any language of the server's messages. */
const KEY_COLUMNS = /\(((?:[^()]|\([^()]*\))*)\)=\(/
const TYPE_NAME = / (?:type|enum) ([a-z][a-z0-9_ ]*)(?::|$)/

/**
 * Converts a driver's error into an `SvcError`. The driver's message stays in `cause`, for the log. Only an error that
 * SQL code raised itself (`RAISE`) keeps its text: its message and its hint become the client's message and code
 * (docs/guides/mutations.md#status). An `SvcError` is returned unchanged.
 * @param error value that a method of `Database` threw
 */
export function fromDatabaseError(error: unknown, context: DatabaseErrorContext = {}): SvcError {
  if (error instanceof SvcError) return error
  if (!isDriverError(error)) return new SvcError('INTERNAL_SERVER_ERROR', 'The request failed.', { cause: error })
  if (!SQLSTATE.test(error.code)) return unavailable(error)
  return isRaised(error) ? fromRaise(error) : fromServer(error, context)
}

/** Context of an error about the text of a parameter, in any language of the server's messages: `unnamed portal parameter $1`. */
const OF_PARAMETER = /^[^\n]*\$\d+[^\n]*$/

/**
 * Converts the error of a read that failed because a stored value is invalid for its type. Operands of the client were
 * checked before the read, so the error is INTERNAL_SERVER_ERROR.
 * @param source the view or table that was read, for the message; `null`: not known
 * @param fields fields that are read through a cast, for the log. The invalid value is in one of them, or in a field
 *   that only the filter or the order reads
 * @returns `null` for any other error, also for an invalid parameter
 */
export function fromStoredData(error: unknown, source: string | null, fields: readonly string[]): SvcError | null {
  if (!isDriverError(error) || !error.code.startsWith('22') || isRaised(error)) return null
  if (error.ofParameter === true || OF_PARAMETER.test(error.where ?? '')) return null
  const named = source === null ? 'a source of this operation' : `"${source}"`
  const where = fields.length === 0 ? 'a field of its filter or order' : fields.join(', ')
  return new SvcError('INTERNAL_SERVER_ERROR', `A value that is stored in ${named} cannot be read.`, {
    cause: new Error(`Reading ${named} (${where}): ${error.message ?? error.code}`, { cause: error }),
  })
}

function isDriverError(error: unknown): error is DriverError {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false
  const { code } = error
  return typeof code === 'string' && (SQLSTATE.test(code) || NETWORK.test(code))
}

/** Tests for errors of `RAISE` in PL/pgSQL with any ERRCODE, and for its default ERRCODE from any language. */
function isRaised(error: DriverError): boolean {
  return error.routine === 'exec_stmt_raise' || error.code === 'P0001'
}

function fromRaise(error: DriverError): SvcError {
  const { hint, detail } = error
  const code = hint !== undefined && CODE_LIKE.test(hint) ? hint : (codeOf(error.code) ?? 'INVALID_INPUT')
  const details: Record<string, unknown> = {}
  if (hint !== undefined && hint !== '' && hint !== code) details.hint = hint
  if (detail !== undefined) details.detail = detail
  return new SvcError(code, error.message ?? 'The function refused.', {
    details: Object.keys(details).length > 0 ? details : undefined,
    cause: error,
  })
}

/** Returns the code of an SQLSTATE; `null`: it has none. */
function codeOf(state: string): string | null {
  if (state === '23505') return 'CONFLICT'
  if (state === '42501') return 'FORBIDDEN'
  if (state === '57014') return 'TIMEOUT'
  // P0002: `SELECT … INTO STRICT` without a row. 55P03: a lock is held by another transaction (NOWAIT, lock_timeout).
  if (state === 'P0002') return 'NOT_FOUND'
  if (state === '55P03') return 'TRANSACTION_FAILED'
  switch (state.slice(0, 2)) {
    case '22':
      return 'BAD_USER_INPUT'
    case '23':
      return 'CONSTRAINT_VIOLATION'
    case '40':
      return 'TRANSACTION_FAILED'
    default:
      return null
  }
}

function fromServer(error: DriverError, context: DatabaseErrorContext): SvcError {
  const { code: state } = error
  if (error.severity !== 'ERROR' && isLost(state)) return unavailable(error)
  const code = codeOf(state) ?? 'DATABASE_ERROR'
  const { constraint, column } = error
  const columns = state === '23505' ? keyColumns(error) : column
  const details: Record<string, unknown> = {}
  if (code === 'CONFLICT' || code === 'CONSTRAINT_VIOLATION') {
    if (constraint !== undefined) details.constraint = constraint
    if (columns !== undefined) details.column = columns
  }
  return new SvcError(code, describe(error, code, columns, context), {
    details: Object.keys(details).length > 0 ? details : undefined,
    cause: error,
  })
}

/** Tests for SQLSTATEs about the connection: it broke, the server shuts down, or there are too many connections. */
function isLost(state: string): boolean {
  return state.startsWith('08') || state.startsWith('57P') || state === '53300'
}

function describe(
  error: DriverError,
  code: string,
  column: string | undefined,
  { source }: DatabaseErrorContext,
): string {
  const rule = error.constraint === undefined ? '' : ` (constraint "${error.constraint}")`
  const of = column === undefined ? '' : ` of "${column}"`
  switch (code) {
    case 'CONFLICT':
      return `There is already a row with the same value${of}${rule}.`
    case 'CONSTRAINT_VIOLATION':
      return describeConstraint(error.code, of, rule)
    case 'BAD_USER_INPUT':
      return describeData(error)
    case 'FORBIDDEN':
      return 'The database does not permit this.'
    case 'NOT_FOUND':
      return 'A row that has to be there is not.'
    case 'TIMEOUT':
      return 'The statement took too long and was cancelled.'
    case 'TRANSACTION_FAILED':
      return 'The transaction came into conflict with another one; nothing was written. Try again.'
    default: {
      const named = source === undefined || source === null ? 'A source of this operation' : `"${source}"`
      const isStale = STALE.has(error.code) && error.where === undefined
      return isStale
        ? `${named} has changed in the database since the schema was compiled; compile the schema again.`
        : `${named} failed in the database.`
    }
  }
}

function describeConstraint(state: string, of: string, rule: string): string {
  if (state === '23502') return `A value${of} is missing${rule}.`
  if (state === '23503') return `A row that is referred to does not exist, or a row is still referred to${rule}.`
  if (state === '23P01') return `The row overlaps with one that exists${rule}.`
  return `The values break a rule of the database${rule}.`
}

function describeData(error: DriverError): string {
  const type = TYPE_NAME.exec(error.message ?? '')?.[1]
  switch (error.code) {
    case '22001':
      return 'A text is longer than its place allows.'
    case '22003':
      return 'A number is out of range.'
    case '22007':
    case '22008':
      return 'A date or time is not valid.'
    case '22012':
      return 'A division by zero.'
    case '22021':
    case '22P05':
      return 'A text has a character that the database cannot store.'
    default:
      return type === undefined ? 'A value is not valid in its place.' : `A value is not a valid ${type}.`
  }
}

function keyColumns(error: DriverError): string | undefined {
  return KEY_COLUMNS.exec(error.detail ?? '')?.[1]
}

function unavailable(cause: unknown): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', 'The database cannot be reached.', { cause, retryAfter: 1 })
}
