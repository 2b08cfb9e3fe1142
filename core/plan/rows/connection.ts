import type {
  ArgumentNode,
  EdgeMember as SelectedEdge,
  WrapperField,
  WrapperSelection,
} from '../../contract/operation.ts'
import type { Slot } from '../../contract/slot.ts'
import type { ObjectType, QueryModel } from '../../schema/model.ts'
import { toText } from '../conditions/operand.ts'
import { valueSlot } from '../conditions/operand-slot.ts'
import { queryConditions } from '../conditions/query-conditions.ts'
import { below, inputError, type PlanContext } from '../plan-context.ts'
import { argumentValue, type PlanValue } from '../plan-value.ts'
import type { Connection, ConnectionMember, Count, EdgeMember, Keyset, PageInfoMember } from '../read-plan.ts'
import { planShape, requireSelection } from '../selection.ts'
import { decodeBase64 } from './node-id.ts'
import { isNothing, planCount } from './page.ts'
import { openQueryRows, planCountOf } from './query-rows.ts'
import { columnOrKey, columnValue, documentValue } from './stored.ts'
import type { SourceRow } from './stored-value.ts'

const DEFAULT_PAGE = 20

/** `{Type}Connection`: parts that are not selected are not read. */
export function planConnection(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  selection: WrapperSelection,
): Connection {
  if (query.named.kind !== 'object' || query.named.cursor === null) {
    throw inputError(context, 'first', `${query.named.name} has no cursor column to page by.`)
  }
  if (!isNothing(argumentValue(args, 'orderBy', context.variables))) {
    throw inputError(context, 'orderBy', 'a connection is ordered by its cursor.')
  }
  const { row, rules } = openQueryRows(context, query)
  const keyset = planKeyset(context, query.named, args, row)
  const from = { row, rules, ...queryConditions(context, query, args, row) }
  const members = selection.fields.map((field) => planMember(context, query, args, selection, field, row))
  return { kind: 'connection', from, keyset, members }
}

function planKeyset(context: PlanContext, type: ObjectType, args: readonly ArgumentNode[], row: SourceRow): Keyset {
  const value = (name: string): PlanValue => argumentValue(args, name, context.variables)
  const [first, last, after, before] = [value('first'), value('last'), value('after'), value('before')]
  const forward = !isNothing(first) || isNothing(last)
  const { cursor } = type
  if (cursor === null) throw new Error(`${type.name} has no cursor`)
  const key =
    cursor.document === null
      ? columnValue(row, cursor.column, cursor.columnType, false)
      : documentValue(row, cursor.column)
  const keyType = key.from === 'column' ? key.type : (cursor.columnType ?? 'int8')
  const given = forward ? first : last
  const name = forward ? 'first' : 'last'
  const { maxRows } = context.settings
  const size = (extra: number): Count =>
    isNothing(given) ? DEFAULT_PAGE + extra : planCount(context, given, name, maxRows, extra)
  const second = cursor.tie === null ? null : columnOrKey(row, cursor.tie, null)
  const tie = second === null ? null : { value: second, type: second.from === 'column' ? second.type : 'text' }
  const types = tie === null ? [keyType] : [keyType, tie.type]
  return {
    forward,
    size: size(0),
    sizePlusOne: size(1),
    key,
    type: keyType,
    tie,
    after: isNothing(after) ? null : cursorSlots(context, after, 'after', types),
    before: isNothing(before) ? null : cursorSlots(context, before, 'before', types),
  }
}

/** @param types of the key, and of what tells rows of one key apart, where the cursor has that too */
function cursorSlots(
  context: PlanContext,
  value: PlanValue,
  name: string,
  types: readonly (string | null)[],
): readonly Slot[] {
  return types.map((type, index) =>
    valueSlot(context, value, name, (raw) => {
      const text = readCursor(raw, types.length)[index]!
      try {
        return toText(text, null, type)
      } catch {
        throw new Error('this is no cursor of this list')
      }
    }),
  )
}

/** The texts in a cursor. The text of a key may be empty. */
function readCursor(raw: unknown, count: number): readonly string[] {
  const decoded = raw === '' ? '' : typeof raw === 'string' ? decodeBase64(raw) : null
  if (decoded === null) throw new Error('this is no cursor')
  if (count === 1) return [decoded]
  const texts = parseTexts(decoded)
  if (texts?.length !== count) throw new Error('this is no cursor of this list')
  return texts
}

function parseTexts(json: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null
  } catch {
    return null
  }
}

function planMember(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  selection: WrapperSelection,
  field: WrapperField,
  row: SourceRow,
): ConnectionMember {
  const key = field.responseKey
  switch (field.field) {
    case '__typename':
      return { key, kind: 'typename', name: selection.typeName }
    case 'totalCount':
      return { key, kind: 'total', of: planCountOf(context, { operation: query, arguments: args }) }
    case 'pageInfo':
      return { key, kind: 'pageInfo', members: field.members.map(pageInfoMember) }
    case 'edges': {
      const at = below(context, key)
      return { key, kind: 'edges', members: field.members.map((member) => planEdge(at, query, member, row)) }
    }
    case 'items':
      throw new Error('A connection has no items')
  }
}

function planEdge(context: PlanContext, query: QueryModel, member: SelectedEdge, row: SourceRow): EdgeMember {
  const key = member.responseKey
  if (member.name === 'cursor') return { key, kind: 'cursor' }
  if (member.name !== 'node') return { key, kind: 'typename', name: `${query.named.name}Edge` }
  const object = planShape(below(context, key), requireSelection(member.selection), row, query.typeColumn)
  return { key, kind: 'node', object }
}

const PAGE_INFO: readonly PageInfoMember['name'][] = [
  'hasNextPage',
  'hasPreviousPage',
  'startCursor',
  'endCursor',
  '__typename',
]

function pageInfoMember(member: { readonly name: string; readonly responseKey: string }): PageInfoMember {
  const name = PAGE_INFO.find((known) => known === member.name)
  if (name === undefined) throw new Error(`PageInfo has no ${member.name}`)
  return { key: member.responseKey, name }
}
