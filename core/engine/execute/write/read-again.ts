import { SvcError } from '../../../base/errors/svc-error.ts'
import type { ObjectSelection } from '../../../contract/operation.ts'
import type { BoundWrite, PreparedWrite } from '../../../contract/prepared-write.ts'
import type { Row } from '../../../contract/statement.ts'
import { readMembers, stringOf, writeMembers } from '../../json/json-text.ts'
import { NOTHING_REPORTED } from './committed.ts'
import { type CallAnswer, columnReader, NO_ERRORS, nothingFound, type ReadEntity } from './write-answer.ts'

/**
 * Returns the JSON of a row that a mutation's function returned. Selected fields that the function did not return are
 * read from the view or table of the type.
 * @param readEntity reads an entity by id, in the transaction of the mutation
 * @returns `null`: the row has no value
 */
export async function completeRow(
  write: PreparedWrite,
  bound: BoundWrite,
  row: Row,
  readEntity: ReadEntity,
): Promise<string | null> {
  const read = columnReader(bound)
  let text = read(row, 'data')
  const lacks = JSON.parse(read(row, 'lacks') ?? '[]') as boolean[]
  const id = read(row, 'entity_id')
  const entity = read(row, 'entity')
  if (entity === null && id === null) return text
  for (const [index, target] of write.targets.entries()) {
    if (lacks[index] !== true) continue
    const [only] = target.possible.keys()
    const typeName = target.possible.size === 1 && only !== undefined ? only : read(row, 'entity_type')
    if (typeName === null || !target.possible.has(typeName)) continue
    if (id === null) throw cannotRead(write, typeName)
    const found = await readEntity(target, typeName, id)
    // A deleted row cannot be read again, so the function's entity must suffice. Any other row that cannot be read is missing or hidden.
    if (found === null && (entity === null || target.ruled) && write.root.operation.operation !== 'DELETE')
      throw notFound(write, typeName, id)
    if (found === null) continue
    const selection = target.possible.get(typeName)!
    text = target.at === null ? merge(selection, found, text) : withMember(text, target.at, selection, found)
  }
  return text
}

function withMember(text: string | null, key: string, selection: ObjectSelection, found: string): string | null {
  if (text === null) return null
  const members = readMembers(text)
  return writeMembers(members.set(key, merge(selection, found, members.get(key) ?? null)))
}

/** Merges the row that was read from the source with fields that only the function's entity has. */
function merge(selection: ObjectSelection, found: string, text: string | null): string {
  const own = selection.fields.filter((field) => field.kind === 'field' && field.field.read === null)
  if (own.length === 0 || text === null || text === 'null') return found
  const held = readMembers(text)
  const members = readMembers(found)
  for (const { responseKey } of own) members.set(responseKey, held.get(responseKey) ?? 'null')
  return writeMembers(members)
}

/**
 * Creates the result of a mutation whose function returns only ids: it reads the objects with these ids.
 * @param rows rows of the function, with JSON of an id or of a list of ids
 * @param readEntity reads an entity by id, in the transaction of the mutation
 * @param tells `true`: plugins or the front need the written rows
 */
export async function idsAnswer(
  write: PreparedWrite,
  rows: readonly Row[],
  readEntity: ReadEntity,
  tells: boolean,
): Promise<CallAnswer> {
  const { operation } = write.root
  const ids = idsOf(write, rows)
  const [target] = write.targets
  if (target === undefined) throw cannotRead(write, operation.named.name)
  const texts = await Promise.all(
    ids.map(async (id) => {
      if (id === null) return null
      const found = await readEntity(target, operation.named.name, id)
      if (found === null && operation.operation !== 'DELETE') throw notFound(write, operation.named.name, id)
      return found ?? onlyId(write, id)
    }),
  )
  const [only] = ids
  const text = write.list
    ? ids.length === 1 && ids[0] === null
      ? 'null'
      : `[${texts.map((t) => t ?? 'null').join(',')}]`
    : (texts[0] ?? 'null')
  if (!write.list && (only === null || only === undefined) && !operation.type.nullable) {
    throw nothingFound(operation.wireName)
  }
  const written = tells ? ids.filter((id) => id !== null) : []
  const reported = written.map((id, index) => ({ ...NOTHING_REPORTED, index, entityId: id }))
  return { text, failure: null, isAnswered: false, errors: NO_ERRORS, failedItem: null, reported }
}

/** Returns the ids of a result: one of a scalar, several of an array or a set. */
function idsOf(write: PreparedWrite, rows: readonly Row[]): readonly (string | null)[] {
  const values: unknown[] = rows.flatMap(([text]) => {
    if (text === null || text === undefined) return [null]
    return text.startsWith('[') ? (JSON.parse(text) as unknown[]) : [stringOf(text) ?? text]
  })
  const ids = values.map((value) => (value === null ? null : String(value)))
  return write.list ? ids : ids.slice(0, 1)
}

/** Creates the answer for a deleted row: its id, and null for all other fields. */
function onlyId(write: PreparedWrite, id: string): string | null {
  const { selection } = write.root
  if (selection?.kind !== 'object') return null
  return writeMembers(
    selection.fields.map((field): [string, string] => {
      if (field.kind === 'typename') return [field.responseKey, JSON.stringify(selection.type.name)]
      return [field.responseKey, field.field.wireName === 'id' ? JSON.stringify(id) : 'null']
    }),
  )
}

function cannotRead(write: PreparedWrite, typeName: string): SvcError {
  return new SvcError(
    'INTERNAL_SERVER_ERROR',
    `Function "${write.root.operation.function.name}" gave neither all selected fields of ${typeName} nor an id to read them by. Nothing was written.`,
  )
}

function notFound(write: PreparedWrite, typeName: string, id: string): SvcError {
  return new SvcError(
    'NOT_FOUND',
    `${write.root.operation.wireName}: there is no ${typeName} with the id "${id}". Nothing was written.`,
  )
}
