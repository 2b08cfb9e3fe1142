import type { SvcError } from '../../../base/errors/svc-error.ts'
import { toSnakeCase } from '../../../base/util/naming.ts'
import type { ObjectSelection, Selection } from '../../../contract/operation.ts'
import type { NamedType } from '../../../schema/model.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import { isArrayText, isObjectText, readItems, readMembers, stringOf, writeMembers } from '../../json/json-text.ts'
import { documentKeys } from '../../plan/rows/document-keys.ts'

/**
 * Chooses which error type of a union answers a failed mutation (docs/guides/mutations.md#errors-as-data).
 * @param members selections of the error types in the union
 * @param typeName `entity_type` of the function's result; a type with this name takes precedence
 * @param code error code: `NOT_FOUND` chooses `NotFound` or `NotFoundError`. Without a matching type, the first one is
 * chosen
 * @returns `null`: the union has no error types
 */
export function pickErrorMember(
  members: readonly ObjectSelection[],
  typeName: string | null,
  code: string,
): ObjectSelection | null {
  const wanted = code.replaceAll('_', '').toLowerCase()
  const isLike = ({ type }: ObjectSelection) => type.name.toLowerCase().replace(/error$/, '') === wanted
  return members.find(({ type }) => type.name === typeName) ?? members.find(isLike) ?? members[0] ?? null
}

/**
 * Writes the JSON of an error type that answers a failed mutation. Fields come from `metadata`; `code`, `message` and
 * `status` come from the failure.
 * @param metadata JSON object from the function's result, with keys in snake_case or camelCase; `null`: none
 * @param status status text of the function's result
 */
export function errorMemberData(
  selection: ObjectSelection,
  metadata: string | null,
  failure: SvcError,
  status: string,
): string {
  const held = metadata !== null && isObjectText(metadata) ? readMembers(metadata) : new Map<string, string>()
  const known = new Map([
    ['code', JSON.stringify(failure.code)],
    ['message', JSON.stringify(failure.message)],
    ['status', JSON.stringify(status)],
  ])
  return writeObject(selection, held, known)
}

function writeObject(
  selection: ObjectSelection,
  held: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string>,
): string {
  const members: [string, string][] = []
  for (const field of selection.fields) {
    if (field.kind === 'denied' || field.kind === 'aggregate') members.push([field.responseKey, 'null'])
    else if (field.kind === 'field' && field.unless !== undefined) members.push([field.responseKey, 'null'])
    else if (field.kind === 'typename') members.push([field.responseKey, JSON.stringify(selection.type.name)])
    else {
      const key = documentKeys(field.field).find((name) => held.has(name))
      const own = key === undefined ? 'null' : held.get(key)
      const text = own === 'null' ? known.get(toSnakeCase(field.field.name)) : own
      members.push([
        field.responseKey,
        text === undefined ? 'null' : wireText(text, field.field.named, field.selection),
      ])
    }
  }
  return writeMembers(members)
}

const NOTHING: ReadonlyMap<string, string> = new Map()

function wireText(text: string, named: NamedType, selection: Selection): string {
  if (text === 'null') return text
  if (isArrayText(text) && !isJson(named)) {
    return `[${readItems(text)
      .map((item) => wireText(item, named, selection))
      .join(',')}]`
  }
  if (selection !== null) {
    if (!isObjectText(text)) return 'null'
    const held = readMembers(text)
    const member = memberOf(selection, held)
    return member === undefined || member.denied !== undefined ? 'null' : writeObject(member, held, NOTHING)
  }
  if (named.kind === 'enum') {
    const value = stringOf(text)
    return value === null ? 'null' : JSON.stringify(named.toName.get(value) ?? value)
  }
  const isText = named.kind === 'scalar' && scalarOf(named).wire === 'string'
  return isText && stringOf(text) === null ? JSON.stringify(text) : text
}

/** Returns the selection for an object; of an interface or union, the one of the type in its `__typename`. */
function memberOf(selection: Exclude<Selection, null>, held: ReadonlyMap<string, string>): ObjectSelection | undefined {
  if (selection.kind === 'object') return selection
  const name = held.get('__typename')
  return selection.kind === 'abstract' && name !== undefined ? selection.possible.get(stringOf(name) ?? '') : undefined
}

function isJson(named: NamedType): boolean {
  return named.kind === 'scalar' && named.base === 'JSON'
}
