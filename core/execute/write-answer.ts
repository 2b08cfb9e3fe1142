import type { BoundWrite, PreparedWrite, WriteColumn, WriteTarget } from '../dialects/prepared-write.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { Row } from '../front/statement.ts'
import { camelizeKeys } from '../json/camelize.ts'
import { readItems, readMembers, writeMembers } from '../json/json-text.ts'
import type { CommittedWrite } from '../kernel/stages.ts'
import { failureOf, isNoop, isSuccess } from '../plan/write-status.ts'
import { errorMemberData, pickErrorMember } from './error-member.ts'

/** What a mutation root has to say once it is committed. */
export interface WriteAnswer {
  /** JSON text of the root. */
  readonly text: string
  /** A status that failed: the function committed what it wrote, and the root is an error. */
  readonly failure: SvcError | null
  /** What was written; `null` = nothing, or nobody wants to know. */
  readonly committed: Omit<CommittedWrite, 'mutation' | 'kind'> | null
}

/** Reads an entity again. @returns its JSON text, `null` when its source does not have it */
export type ReadEntity = (target: WriteTarget, typeName: string, id: string) => Promise<string | null>

type Read = (row: Row, column: WriteColumn) => string | null

export function columnReader({ columns }: BoundWrite): Read {
  return (row, column) => {
    const index = columns.get(column)
    return index === undefined ? null : (row[index] ?? null)
  }
}

/** The answer of a function that failed by its status; `null` when it succeeded. */
export function failedAnswer(write: PreparedWrite, first: Row | undefined, read: Read): WriteAnswer | null {
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
  if (member === null) return { text: 'null', failure, committed: null }
  return { text: errorMemberData(member, read(first, 'metadata'), failure, status), failure: null, committed: null }
}

/**
 * The answer of a function that succeeded.
 * @param texts JSON text per row, `null` where nothing came
 */
export function successAnswer(
  write: PreparedWrite,
  rows: readonly Row[],
  texts: readonly (string | null)[],
  read: Read,
  events: boolean,
): WriteAnswer {
  const [first] = rows
  const text = withCascade(write, write.list ? listText(rows, texts, read) : (texts[0] ?? null))
  if (text === null && write.rowsMatter && !write.root.operation.type.nullable) {
    throw new SvcError('NOT_FOUND', `${write.root.operation.wireName}: nothing was found.`)
  }
  const noop = first !== undefined && isNoop(read(first, 'status') ?? '')
  const committed = events && !noop ? committedBy(rows, read) : null
  return { text: text ?? 'null', failure: null, committed }
}

function listText(rows: readonly Row[], texts: readonly (string | null)[], read: Read): string | null {
  const [first] = rows
  const items: string[] = []
  const kind = first === undefined ? null : read(first, 'item')
  // A list that stands in one document, and has no items or is none.
  if (kind !== null && kind !== 'item') return kind === 'array' ? '[]' : null
  if (kind === null && rows.length === 1 && texts[0] === null) return null
  for (const text of texts) items.push(text ?? 'null')
  return `[${items.join(',')}]`
}

function committedBy(rows: readonly Row[], read: Read): WriteAnswer['committed'] {
  const [first, ...others] = rows
  if (first === undefined) return NOTHING_TOLD
  const fields = read(first, 'updated_fields')
  const entities = rows.map((row) => read(row, 'entity'))
  return {
    entityType: read(first, 'entity_type'),
    entityId: others.length === 0 ? read(first, 'entity_id') : null,
    entity: others.length === 0 ? entities[0]! : `[${entities.map((entity) => entity ?? 'null').join(',')}]`,
    updatedFields: fields === null ? null : readItems(fields).map((item) => String(JSON.parse(item))),
    cascade: read(first, 'cascade'),
  }
}

export const NOTHING_TOLD: NonNullable<WriteAnswer['committed']> = {
  entityType: null,
  entityId: null,
  entity: null,
  updatedFields: null,
  cascade: null,
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
