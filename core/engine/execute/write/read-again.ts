import { SvcError } from '../../../base/errors/svc-error.ts'
import type { ObjectSelection } from '../../../contract/operation.ts'
import type { BoundWrite, PreparedWrite, WriteTarget } from '../../../contract/prepared-write.ts'
import type { Row } from '../../../contract/statement.ts'
import type { FieldModel, ObjectType } from '../../../schema/model.ts'
import { slotOf } from '../../../schema/payload-slot.ts'
import { isObjectText, readMembers, stringOf, writeMembers } from '../../json/json-text.ts'
import { documentKeys } from '../../plan/rows/document-keys.ts'
import { keyColumns } from '../../plan/rows/key-columns.ts'
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
    const selection = target.possible.get(typeName)!
    const key = entityKey(selection.type, id, entity, target, payloadOf(write))
    if (key === null) throw cannotRead(write, typeName)
    const found = await readEntity(target, typeName, key)
    // A deleted row cannot be read again, so the function's entity must suffice. Any other row that cannot be read is missing or hidden.
    if (found === null && (entity === null || target.ruled) && write.root.operation.operation !== 'DELETE')
      throw notFound(write, typeName, key)
    if (found === null) continue
    text = target.at === null ? merge(selection, found, text) : withMember(text, target.at, selection, found)
  }
  return text
}

/**
 * Returns the key by which the row of an entity is read again: its id, or the values of the key columns that the entity contains.
 * @param id the id that the function returned; `null`: none
 * @param entity JSON text that the function returned; `null`: none
 * @returns `null`: the row cannot be read
 */
function entityKey(
  type: ObjectType,
  id: string | null,
  entity: string | null,
  target: Pick<WriteTarget, 'at'>,
  payload: ObjectType | null,
): readonly string[] | null {
  const columns = keyColumns(type)
  if (columns === null) return id === null ? null : [id]
  const slot = target.at === null || payload === null ? null : slotOf(payload)
  const members = entity === null || !isObjectText(entity) ? null : inSlot(readMembers(entity), slot)
  const values = columns.map((column) => textAt(members, keysOf(type, column)))
  if (columns.length > 0 && !values.includes(null)) return values as readonly string[]
  return columns.length === 1 && id !== null ? [id] : null
}

/** Returns the members of the entity. The function may have returned the payload with the entity in one of its fields. */
function inSlot(members: ReadonlyMap<string, string>, slot: FieldModel | null): ReadonlyMap<string, string> {
  const key = slot === null ? undefined : documentKeys(slot).find((name) => members.has(name))
  const inner = key === undefined ? undefined : members.get(key)
  return inner !== undefined && isObjectText(inner) ? readMembers(inner) : members
}

/** Returns the names under which an entity can have the value of a column. */
function keysOf({ fields }: ObjectType, column: string): readonly string[] {
  const field = [...fields.values()].find(({ read }) => read?.from === 'column' && read.column === column)
  return field === undefined ? [column] : documentKeys(field)
}

function textAt(members: ReadonlyMap<string, string> | null, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = members?.get(key)
    if (text === undefined || text === 'null') continue
    return text.startsWith('"') ? (JSON.parse(text) as string) : text
  }
  return null
}

/** Returns the declared result, if it is an object. */
function payloadOf({ root: { selection } }: PreparedWrite): ObjectType | null {
  return selection?.kind === 'object' ? selection.type : null
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
 * @param tells `true`: hooks, events or the response need the list of written rows
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
  const { name } = operation.named
  const type = target?.possible.get(name)?.type
  if (target === undefined || type === undefined) throw cannotRead(write, name)
  const texts = await Promise.all(
    ids.map(async (id) => {
      if (id === null) return null
      const key = entityKey(type, id, null, target, null)
      if (key === null) throw cannotRead(write, name)
      const found = await readEntity(target, name, key)
      if (found === null && operation.operation !== 'DELETE') throw notFound(write, name, key)
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
    `Function "${write.root.operation.function.name}" gave neither all selected fields of ${typeName} nor an id or a whole key to read them by. Nothing was written.`,
  )
}

function notFound(write: PreparedWrite, typeName: string, key: readonly string[]): SvcError {
  const named = `${key.length === 1 ? 'id' : 'key'} ${key.map((value) => `"${value}"`).join(', ')}`
  return new SvcError(
    'NOT_FOUND',
    `${write.root.operation.wireName}: there is no ${typeName} with the ${named}. Nothing was written.`,
  )
}
