import type { Row } from '../contract/statement.ts'
import type { BoundWrite, PreparedWrite, WriteColumn, WriteTarget } from '../dialects/prepared-write.ts'
import { SvcError } from '../errors/svc-error.ts'
import { camelizeKeys } from '../json/camelize.ts'
import { readItems, readMembers, writeMembers } from '../json/json-text.ts'
import { failureOf, isNoop, isSuccess } from '../plan/write/write-status.ts'
import { NOTHING_TOLD, type ToldRow, toldBy } from './committed.ts'
import { errorMemberData, pickErrorMember } from './error-member.ts'

/** What came of the call of a mutation root. */
export interface CallAnswer {
  /** JSON text of the root. */
  readonly text: string
  /** What a failed status means. On its own, the call is committed all the same: the function decided what it wrote. */
  readonly failure: SvcError | null
  /** The failure stands in `text`, as a member of the result's union. */
  readonly isAnswered: boolean
  /** What it says of the rows that it wrote. None: it failed, had nothing to do, or nobody wants to know. */
  readonly told: readonly ToldRow[]
}

const NONE: readonly ToldRow[] = Object.freeze([])

/** Reads an entity again. @returns its JSON text, `null` when its source does not have it */
export type ReadEntity = (target: WriteTarget, typeName: string, id: string) => Promise<string | null>

export type ReadColumn = (row: Row, column: WriteColumn) => string | null

export function columnReader({ columns }: BoundWrite): ReadColumn {
  return (row, column) => {
    const index = columns.get(column)
    return index === undefined ? null : (row[index] ?? null)
  }
}

/** The answer of a function that failed by its status; `null` when it succeeded. */
export function failedAnswer(write: PreparedWrite, first: Row | undefined, read: ReadColumn): CallAnswer | null {
  const status = first === undefined ? null : read(first, 'status')
  if (first === undefined || status === null || isSuccess(status)) return null
  const { wireName } = write.root.operation
  const failure = failureOf(
    {
      status,
      message: read(first, 'message'),
      code: read(first, 'code'),
      field: read(first, 'field'),
      errorClass: read(first, 'error_class'),
      httpStatus: read(first, 'http_status'),
      detail: read(first, 'detail'),
    },
    wireName,
  )
  const member = pickErrorMember(write.errorMembers, read(first, 'entity_type'), failure.code)
  const text = member === null ? 'null' : errorMemberData(member, read(first, 'metadata'), failure, status)
  return { text, failure, isAnswered: member !== null, told: NONE }
}

/**
 * The answer of a function that succeeded.
 * @param texts JSON text per row, `null` where nothing came
 */
export function successAnswer(
  write: PreparedWrite,
  rows: readonly Row[],
  texts: readonly (string | null)[],
  read: ReadColumn,
  tells: boolean,
): CallAnswer {
  const [first] = rows
  const text = withCascade(write, write.list ? listText(rows, texts, read) : (texts[0] ?? null))
  if (text === null && write.rowsMatter && !write.root.operation.type.nullable) {
    throw nothingFound(write.root.operation.wireName)
  }
  const noop = first !== undefined && isNoop(read(first, 'status') ?? '')
  const told = tells && !noop ? rows.map((row) => toldBy(row, read)) : NONE
  return { text: text ?? 'null', failure: null, isAnswered: false, told }
}

/** No row came where the type wants one. */
export function nothingFound(wireName: string): SvcError {
  return new SvcError('NOT_FOUND', `${wireName}: nothing was found.`)
}

function listText(rows: readonly Row[], texts: readonly (string | null)[], read: ReadColumn): string | null {
  const [first] = rows
  const items: string[] = []
  const kind = first === undefined ? null : read(first, 'item')
  // A list that stands in one document, and has no items or is none.
  if (kind !== null && kind !== 'item') return kind === 'array' ? '[]' : null
  if (kind === null && rows.length === 1 && texts[0] === null) return null
  for (const text of texts) items.push(text ?? 'null')
  return `[${items.join(',')}]`
}

/** The answer of a function that says nothing but that it ran. */
export function voidAnswer(write: PreparedWrite, tells: boolean): CallAnswer {
  const { named } = write.root.operation
  const text = named.kind === 'scalar' && named.base === 'Boolean' ? 'true' : 'null'
  return { text, failure: null, isAnswered: false, told: tells ? [NOTHING_TOLD] : NONE }
}

/** The client sees the keys of `cascade` in camelCase, like everything else. */
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
