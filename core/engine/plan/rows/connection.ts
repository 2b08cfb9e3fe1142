import type {
  ArgumentNode,
  EdgeMember as SelectedEdge,
  WrapperField,
  WrapperSelection,
} from '../../../contract/operation.ts'
import type { Connection, ConnectionMember, EdgeMember, PageInfoMember } from '../../../contract/plan/read-plan.ts'
import type { SourceRow } from '../../../contract/plan/stored-value.ts'
import type { ObjectType, QueryModel } from '../../../schema/model.ts'
import { below, inputError, type PlanContext } from '../context/plan-context.ts'
import { refuseClosed } from '../context/refuse-closed.ts'
import { planKeyset } from './keyset.ts'
import { openQueryRows, planCountOf, queryConditions } from './query-rows.ts'
import { planShape, requireSelection } from './selection.ts'

/**
 * Plans a root field of type `{Type}Connection`: its page of rows, and the selected members (edges, page info, total).
 * @param args arguments of the root field
 */
export function planConnection(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  selection: WrapperSelection,
): Connection {
  if (query.named.kind !== 'object' || query.named.cursor === null) {
    throw inputError(context, 'first', `${query.named.name} has no cursor column to page by.`)
  }
  const { row, rules } = openQueryRows(context, query)
  const keyset = planKeyset(context, query, args, row)
  const from = { row, rules, ...queryConditions(context, query, args, row) }
  const members = selection.fields.map((field) => planMember(context, query, args, selection, field, row))
  if (keyset.after !== null || keyset.before !== null || members.some(hasCursor)) refuseClosedKey(context, query.named)
  return { kind: 'connection', from, keyset, members }
}

function hasCursor(member: ConnectionMember): boolean {
  if (member.kind === 'edges') return member.members.some(({ kind }) => kind === 'cursor')
  return member.kind === 'pageInfo' && member.members.some(({ name }) => name === 'startCursor' || name === 'endCursor')
}

/** Rejects a connection when `authorize` denied a field of its key, because a client can decode the key from a cursor. */
function refuseClosedKey(context: PlanContext, type: ObjectType): void {
  if (context.access === null || type.cursor === null) return
  const { column, tie, by, digest } = type.cursor
  const keys = new Set(by ?? [column, tie])
  for (const field of type.fields.values()) {
    const { read } = field
    const from = read?.from === 'column' ? read.column : read?.from === 'document' ? read.key : null
    if (from !== null && (digest || keys.has(from))) refuseClosed(context, type, field, 'cursor')
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
