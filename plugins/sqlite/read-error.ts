import { ResultTooLarge } from '../../core/doors/driver.ts'
import type { SvcError } from '../../core/doors/plugin.ts'
import type { Failure } from './child/protocol.ts'
import { SqliteError, type SqliteFacts } from './dialect/sqlite-error.ts'
import { unavailable } from './driver-errors.ts'

/** SQLSTATEs of SQLite's primary result codes that are meaningful without their message. */
const STATES: Readonly<Record<number, string>> = {
  3: '42501', // PERM
  8: '25006', // READONLY
  9: '57014', // INTERRUPT
  10: '58030', // IOERR
  11: 'XX001', // CORRUPT
  13: '53100', // FULL
  14: '58030', // CANTOPEN
  18: '22001', // TOOBIG
  20: '22P02', // MISMATCH
  26: 'XX001', // NOTADB
}
const BUSY = 5
const LOCKED = 6
const CONSTRAINT = 19
/** `CONSTRAINT` of a trigger's RAISE, if the library reports it. */
const CONSTRAINT_TRIGGER = 19 | (7 << 8)

const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^no such (?:table|view)/, '42P01'],
  [/^(?:no such column|table .* has no column)/, '42703'],
  [/^no such function|^wrong number of arguments to function/, '42883'],
  [/syntax error|^incomplete input|^unrecognized token/, '42601'],
  [/^integer overflow/, '22003'],
  [/^malformed JSON|^bad JSON path|^JSON path error|^invalid input syntax/, '22P02'],
  [/^Expression tree is too large|^parser stack overflow|^at most \d+ tables in a join/, '54000'],
  [/^Invalid regular expression/, '2201B'],
]

/**
 * Converts a failure that the child process of SQLite reports to the error to throw.
 * @param maxResultBytes the limit that a result may have exceeded
 * @returns an SvcError if the statement is not the cause, otherwise a SqliteError
 */
export function readFailure(failure: Failure, maxResultBytes = 0): SqliteError | SvcError {
  if (failure.kind === 'too-large') return new ResultTooLarge(maxResultBytes)
  const primary = failure.result & 0xff
  if (primary === BUSY || primary === LOCKED) {
    const error = new SqliteError(failure, { code: '55P03' })
    return unavailable('The database file was locked by another program for too long.', error)
  }
  return new SqliteError(failure, factsOf(failure, primary))
}

function factsOf({ kind, result, message }: Failure, primary: number): SqliteFacts {
  if (kind === 'raised' || result === CONSTRAINT_TRIGGER) return { code: 'P0001' }
  if (kind === 'script') return { code: '42601' }
  if (kind === 'broken') return { code: '54001' }
  if (primary === CONSTRAINT) return constraintOf(message)
  // Some versions put the class of a function's error before its message.
  const text = message.replace(/^\w*Error: /, '')
  const known = MESSAGES.find(([pattern]) => pattern.test(text))?.[1]
  return { code: known ?? STATES[primary] ?? 'XX000' }
}

/** Parses `UNIQUE constraint failed: track.name, track.fk_album`. Any other text is the author's, from a trigger. */
function constraintOf(message: string): SqliteFacts {
  const [, kind, subject = ''] =
    /^(UNIQUE|NOT NULL|CHECK|FOREIGN KEY) constraint failed(?:: (.*))?$/s.exec(message) ?? []
  switch (kind) {
    case 'UNIQUE': {
      const index = /^index '(.*)'$/.exec(subject)?.[1]
      if (index !== undefined) return { code: '23505', constraint: index }
      const columns = subject.split(', ').map(columnOf)
      return { code: '23505', detail: `Key (${columns.join(', ')})=() already exists.` }
    }
    case 'NOT NULL':
      return { code: '23502', column: columnOf(subject) }
    case 'FOREIGN KEY':
      return { code: '23503' }
    case 'CHECK':
      // For an unnamed constraint SQLite reports the condition, which is not shown to clients.
      return { code: '23514', constraint: /^[A-Za-z_]\w*$/.test(subject) ? subject : undefined }
    default:
      return /^cannot store [A-Z]+ value in /.test(message) ? { code: '22P02' } : { code: 'P0001' }
  }
}

function columnOf(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf('.') + 1)
}
