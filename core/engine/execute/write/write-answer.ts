import { SvcError } from '../../../base/errors/svc-error.ts'
import type { BoundWrite, PreparedWrite, WriteColumn, WriteTarget } from '../../../contract/prepared-write.ts'
import type { Row } from '../../../contract/statement.ts'
import { camelizeKeys } from '../../json/camelize.ts'
import { readItems, readMembers, writeMembers } from '../../json/json-text.ts'
import { failureOf, isNoop, isSuccess } from '../../plan/write/write-status.ts'
import { NOTHING_REPORTED, type ReportedRow, readReported } from './committed.ts'
import { errorMemberData, pickErrorMember } from './error-member.ts'

/** What a call of a mutation's function returned, converted to the value of the root field. */
export interface CallAnswer {
  /** JSON text of the root field's value. */
  readonly text: string
  /**
   * Error if the function returned a failed status; `null`: success. The call is committed even so, unless the
   * operation is atomic.
   */
  readonly failure: SvcError | null
  /** `true`: `text` reports the failure as an error type of the result union, so that it needs no GraphQL error. */
  readonly isAnswered: boolean
  /**
   * Errors of single list items, with paths. The items are null in `text`. The writes of the other items are committed.
   */
  readonly errors: readonly SvcError[]
  /**
   * Error of the first failed list item, with its path, which makes an atomic operation fail; `null`: no item failed.
   */
  readonly failedItem: SvcError | null
  /**
   * The rows that the function wrote. Empty if no hook, event or response needs them, or if every row failed or was a
   * `noop` (nothing to write).
   */
  readonly reported: readonly ReportedRow[]
}

const NONE: readonly ReportedRow[] = Object.freeze([])
export const NO_ERRORS: readonly SvcError[] = Object.freeze([])

/**
 * Reads a written row by its id, or by the values of its key columns, from the view or table of its type, with the
 * fields that the client selected.
 * @returns JSON text; `null`: there is no such row
 */
export type ReadEntity = (target: WriteTarget, typeName: string, key: readonly string[]) => Promise<string | null>

export type ReadColumn = (row: Row, column: WriteColumn) => string | null

export function columnReader({ columns }: BoundWrite): ReadColumn {
  return (row, column) => {
    const index = columns.get(column)
    return index === undefined ? null : (row[index] ?? null)
  }
}

/**
 * Tests whether a row that a mutation's function returned has a status of failure, such as `failed:reason`.
 * @param read returns the value of a column in the row
 */
export function hasFailed(row: Row, read: ReadColumn): boolean {
  const status = read(row, 'status')
  return status !== null && !isSuccess(status)
}

function failureIn(write: PreparedWrite, row: Row, read: ReadColumn): SvcError | null {
  if (!hasFailed(row, read)) return null
  return failureOf(
    {
      status: read(row, 'status') ?? '',
      message: read(row, 'message'),
      code: read(row, 'code'),
      field: read(row, 'field'),
      errorClass: read(row, 'error_class'),
      httpStatus: read(row, 'http_status'),
      detail: read(row, 'detail'),
    },
    write.root.operation.wireName,
  )
}

/** Returns the JSON text of the error type for a failure; `null`: the result's union has none. */
function memberText(write: PreparedWrite, row: Row, failure: SvcError, read: ReadColumn): string | null {
  const member = pickErrorMember(write.errorMembers, read(row, 'entity_type'), failure.code)
  if (member === null) return null
  return errorMemberData(member, read(row, 'metadata'), failure, read(row, 'status') ?? '')
}

/**
 * Creates the result of a mutation's root field from the rows that its function returned. Failed rows of a list become
 * error types of the result union, or null with an error. If all rows failed, the field fails. If the field is not a
 * list, the first row counts.
 * @param texts JSON text of each row; `null`: no value
 * @param read returns the value of a column in a row
 * @param tells `true`: hooks, events or the response need the list of written rows
 */
export function rowsAnswer(
  write: PreparedWrite,
  rows: readonly Row[],
  texts: readonly (string | null)[],
  read: ReadColumn,
  tells: boolean,
): CallAnswer {
  const failures = rows.map((row) => failureIn(write, row, read))
  const reported = tells
    ? rows.flatMap((row, index) => (isWritten(row, read) ? [readReported(row, index, read)] : []))
    : NONE
  const [row] = rows
  const [failure] = failures
  const failsAll = !write.list || (write.errorMembers.length === 0 && !failures.includes(null))
  if (row !== undefined && failure && failsAll) {
    const member = write.list ? null : memberText(write, row, failure, read)
    return {
      text: member ?? 'null',
      failure,
      isAnswered: member !== null,
      errors: NO_ERRORS,
      failedItem: null,
      reported,
    }
  }
  const shown = rows.map((each, index) => {
    const failed = failures[index]
    return failed ? memberText(write, each, failed, read) : (texts[index] ?? null)
  })
  const text = withCascade(write, write.list ? listText(rows, shown, read) : (shown[0] ?? null))
  if (text === null && write.rowsMatter && !write.root.operation.type.nullable) {
    throw nothingFound(write.root.operation.wireName)
  }
  const failed = failures.map((each, index) => each?.at([write.root.responseKey, index]) ?? null)
  const [failedItem = null] = write.list ? failed.filter((each) => each !== null) : []
  const errors =
    failedItem === null ? NO_ERRORS : failed.filter((each, index) => each !== null && shown[index] === null)
  return { text: text ?? 'null', failure: null, isAnswered: false, errors: errors as SvcError[], failedItem, reported }
}

/** Tests whether a row was written: it neither failed nor was a `noop`. */
function isWritten(row: Row, read: ReadColumn): boolean {
  return !hasFailed(row, read) && !isNoop(read(row, 'status') ?? '')
}

/** Creates the NOT_FOUND error of a mutation whose result is non-null and whose function returned no row. */
export function nothingFound(wireName: string): SvcError {
  return new SvcError('NOT_FOUND', `${wireName}: nothing was found.`)
}

function listText(rows: readonly Row[], texts: readonly (string | null)[], read: ReadColumn): string | null {
  const [first] = rows
  const items: string[] = []
  const kind = first === undefined ? null : read(first, 'item')
  // A single document that is an empty list, or no list.
  if (rows.length === 1 && kind !== null && kind !== 'item') return kind === 'array' ? '[]' : null
  if (kind === null && rows.length === 1 && texts[0] === null) return null
  for (const text of texts) items.push(text ?? 'null')
  return `[${items.join(',')}]`
}

/**
 * Creates the result of a mutation whose function returns nothing: `true` for a Boolean, otherwise null.
 * @param tells `true`: hooks, events or the response need an entry for the write
 */
export function voidAnswer(write: PreparedWrite, tells: boolean): CallAnswer {
  const { named } = write.root.operation
  const text = named.kind === 'scalar' && named.base === 'Boolean' ? 'true' : 'null'
  return {
    text,
    failure: null,
    isAnswered: false,
    errors: NO_ERRORS,
    failedItem: null,
    reported: tells ? [NOTHING_REPORTED] : NONE,
  }
}

/** Converts the keys of `cascade` to camelCase, the wire form of names. */
function withCascade(write: PreparedWrite, text: string | null): string | null {
  const { cascadeKeys: keys } = write
  if (text === null || keys.length === 0) return text
  const rewrite = (object: string): string => {
    if (object === 'null') return object
    const members = readMembers(object)
    for (const key of keys) {
      const value = members.get(key)
      if (value !== undefined) members.set(key, camelizeKeys(value))
    }
    return writeMembers(members)
  }
  return write.list ? `[${readItems(text).map(rewrite).join(',')}]` : rewrite(text)
}
