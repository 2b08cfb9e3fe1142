import { unavailable, unknownOutcome } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'
import { MysqlError, type MysqlFacts } from './dialect/mysql-error.ts'

/** An error of the package `mysql2`. One that the server sent has `errno` and `sqlState`. */
interface LibraryError extends Error {
  readonly errno?: number
  readonly code?: string
  readonly sqlState?: string
  readonly sqlMessage?: string
  readonly fatal?: boolean
}

/** SQLSTATEs of PostgreSQL, by error number of the server. https://mariadb.com/kb/en/mariadb-error-codes/ */
const STATES: Readonly<Record<number, string>> = {
  1020: '40001', // ER_CHECKREAD: changed since the snapshot
  1022: '23505',
  1044: '42501',
  1045: '28P01',
  1048: '23502',
  1049: '3D000',
  1050: '42P07',
  1051: '42P01',
  1054: '42703',
  1062: '23505',
  1064: '42601',
  1109: '42P01',
  1116: '54001', // ER_TOO_MANY_TABLES
  1142: '42501',
  1143: '42501',
  1146: '42P01',
  1153: '54000', // ER_NET_PACKET_TOO_LARGE
  1205: '55P03', // ER_LOCK_WAIT_TIMEOUT
  1213: '40P01', // ER_LOCK_DEADLOCK
  1216: '23503',
  1217: '23503',
  1227: '42501',
  1264: '22003',
  1265: '22P02', // WARN_DATA_TRUNCATED: a value that is not in the ENUM
  1290: '25006', // ER_OPTION_PREVENTS_STATEMENT: read_only
  1292: '22007', // ER_TRUNCATED_WRONG_VALUE
  1305: '42883', // ER_SP_DOES_NOT_EXIST
  1317: '57014', // ER_QUERY_INTERRUPTED
  1318: '42883', // ER_SP_WRONG_NO_OF_ARGS
  1356: '42P01', // ER_VIEW_INVALID
  1364: '23502', // ER_NO_DEFAULT_FOR_FIELD
  1365: '22012', // ER_DIVISION_BY_ZERO
  1366: '22P02', // ER_TRUNCATED_WRONG_VALUE_FOR_FIELD
  1367: '22P02',
  1370: '42501',
  1406: '22001', // ER_DATA_TOO_LONG
  1411: '22007',
  1425: '22003',
  1426: '22003',
  1436: '54001', // ER_STACK_OVERRUN_NEED_MORE
  1441: '22008',
  1451: '23503',
  1452: '23503',
  1473: '54001', // ER_TOO_HIGH_LEVEL_OF_NESTING_FOR_SELECT
  1525: '22P02',
  1557: '23503',
  1586: '23505', // ER_DUP_ENTRY_WITH_KEY_NAME
  1630: '42883', // ER_FUNC_INEXISTENT_NAME_COLLISION
  1690: '22003', // ER_DATA_OUT_OF_RANGE
  1761: '23505',
  1762: '23505',
  1792: '25006', // ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION
  1836: '25006', // ER_READ_ONLY_MODE
  1969: '57014', // ER_STATEMENT_TIMEOUT
  3024: '57014', // ER_QUERY_TIMEOUT
  3140: '22P02', // ER_INVALID_JSON_TEXT
  3572: '55P03', // ER_LOCK_NOWAIT
  3819: '23514', // ER_CHECK_CONSTRAINT_VIOLATED
  3858: '22P02',
  4025: '23514', // ER_CONSTRAINT_FAILED
  4038: '22P02', // ER_JSON_SYNTAX
}
const REGEXP = new Set([1139, 3685, 3686, 3687, 3688, 3689, 3690, 3691, 3692, 3693, 3694, 3695, 3696])
/** The server refuses a connection because its limit, or that of the user, is reached. */
const OUT_OF_CONNECTIONS = new Set([1040, 1203, 1226])
/** Errors of the server that end the connection: shutdown, killed, and an aborted connection. */
const ENDING = new Set([1053, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 1928, 3159, 3169, 4031])
const SIGNAL = 1644
/** `NOT_FOUND: There is no such item`, from SIGNAL. */
const CODED = /^([A-Z][A-Z0-9_]*): (.*)$/s

/** Tests whether an error was sent by the server, and not raised by the socket or the package `mysql2`. */
export function isServerError(error: unknown): error is LibraryError & { errno: number; sqlState: string } {
  return error instanceof Error && 'sqlState' in error && typeof error.sqlState === 'string' && error.sqlState !== ''
}

/** Tests whether an error ended its connection, so that the outcome of the statement is unknown. */
export function isConnectionError(error: unknown): boolean {
  return !isServerError(error) || ENDING.has(error.errno)
}

/** Tests whether the server refused a connection because its limit on connections is reached. */
export function isOutOfConnections(error: unknown): boolean {
  return isServerError(error) && OUT_OF_CONNECTIONS.has(error.errno)
}

/**
 * VALIDATION_ERROR for a read whose result, or a part of it, is larger than the server makes a text. The server itself
 * gives NULL or a shorter text, and a warning.
 */
export class ResultCutOff extends SvcError {
  /** @param warning text of the server */
  constructor(warning: string) {
    super(
      'VALIDATION_ERROR',
      'The result is larger than max_allowed_packet of the database server. Page through it with limit and offset (first ' +
        'and after in a connection), or select fewer fields.',
      { cause: new Error(warning) },
    )
  }
}

/** Tests whether the server rejected a write because it is read-only now, which is not the fault of the statement. */
export function isReadOnlyServer(error: unknown): boolean {
  return (
    error instanceof MysqlError && (error.errno === 1290 || error.errno === 1836) && /read.only/i.test(error.message)
  )
}

/**
 * Creates the error for a write to a server that is read-only, such as a replica or a primary that is being replaced.
 */
export function readOnlyServer(cause: unknown): SvcError {
  return unavailable('The database takes no writes now. Nothing was written.', cause)
}

/**
 * Converts an error of the package `mysql2` to the error to throw.
 * @param commits `true` for a write outside of a transaction, whose outcome is unknown if the connection broke
 * @returns SvcError SERVICE_UNAVAILABLE for a broken connection, otherwise a {@link MysqlError}
 */
export function readFailure(error: unknown, commits = false): unknown {
  if (error instanceof SvcError || error instanceof MysqlError) return error
  if (isConnectionError(error)) {
    return commits
      ? unknownOutcome(error)
      : unavailable('The connection to the database broke under the statement.', error)
  }
  return toMysqlError(error as LibraryError & { errno: number; sqlState: string })
}

/** Converts an error that the server sent. */
function toMysqlError(error: LibraryError & { errno: number; sqlState: string }): MysqlError {
  const { errno, sqlState: state } = error
  const message = error.sqlMessage ?? error.message
  return new MysqlError({ errno, state, message, cause: error }, factsOf(errno, state, message))
}

function factsOf(errno: number, state: string, message: string): MysqlFacts {
  if (errno === SIGNAL || state.startsWith('45')) return raised(state, message)
  if (REGEXP.has(errno)) return { code: '2201B' }
  const code = STATES[errno]
  if (code === undefined) return { code: state === 'HY000' ? 'XX000' : state }
  switch (code) {
    case '23505':
      return { code, constraint: duplicateKey(message) }
    case '23502':
      return { code, column: /^(?:Column|Field) '([^']*)'/.exec(message)?.[1] }
    case '23503':
      return { code, constraint: /CONSTRAINT [`"](.*?)[`"] FOREIGN KEY/s.exec(message)?.[1] }
    case '23514':
      // MariaDB: CONSTRAINT `name` failed for `database`.`table`. MySQL: Check constraint 'name' is violated.
      return { code, constraint: checkName(message) }
    default:
      return { code }
  }
}

/** SIGNAL: class 45 is for the author's own errors; another SQLSTATE has the meaning that it has in PostgreSQL. */
function raised(state: string, message: string): MysqlFacts {
  const [, hint, text] = CODED.exec(message) ?? []
  const code = state.startsWith('45') ? 'P0001' : state
  return { code, isRaised: true, ...(hint === undefined ? {} : { hint, message: text }) }
}

/** `Duplicate entry 'x' for key 'mail'`; MySQL 8 writes `'account.mail'`. The value may have quotes too. */
function duplicateKey(message: string): string | undefined {
  const key = /for key '([^']*)'$/.exec(message)?.[1]
  return key?.slice(key.lastIndexOf('.') + 1)
}

/** MariaDB names an unnamed condition `table.column` or by the condition itself, which is not shown to clients. */
function checkName(message: string): string | undefined {
  const name =
    /^CONSTRAINT [`"](.*?)[`"] failed/s.exec(message)?.[1] ?? /^Check constraint '([^']*)'/.exec(message)?.[1]
  return name !== undefined && /^[A-Za-z_]\w*$/.test(name) ? name : undefined
}
