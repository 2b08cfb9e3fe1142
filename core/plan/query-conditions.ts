import type { ArgumentNode } from '../front/operation.ts'
import type { ArgumentModel, InterfaceType, ObjectType, QueryModel } from '../schema/model.ts'
import { cast, parameter, type SqlFragment, sql } from '../sql/fragment.ts'
import { nodeIdOf } from './node-id.ts'
import { comparable, toText, toTexts } from './operand.ts'
import { valueSlot } from './operand-slot.ts'
import { isNothing } from './page.ts'
import { inputError, type PlanContext } from './plan-context.ts'
import { argumentValue, type PlanValue } from './plan-value.ts'
import { columnOrKey, type Row } from './row.ts'
import { securityConditions } from './security.ts'
import { compileWhere } from './where.ts'

/** Everything that decides which rows a query may see and wants: security first, the client's filter in parentheses. */
export function queryConditions(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  row: Row,
): SqlFragment[] {
  const conditions = securityConditions(context, query, row)
  for (const argument of query.arguments.values()) {
    const value = argumentValue(args, argument.wireName, context.variables)
    if (!isNothing(value)) conditions.push(argumentCondition(context, query, argument, value, row))
  }
  if (query.autoParams.where && (query.named.kind === 'object' || query.named.kind === 'interface')) {
    const where = argumentValue(args, 'where', context.variables)
    const condition = compileWhere(context, query.named, row, where, 'where')
    if (condition !== null) conditions.push(sql`(${condition})`)
  }
  return conditions
}

/** A declared argument is an equality (behaviours 2.5); a list is one of. */
function argumentCondition(
  context: PlanContext,
  query: QueryModel,
  argument: ArgumentModel,
  value: PlanValue,
  row: Row,
): SqlFragment {
  const { named, wireName } = argument
  const read = query.argumentReads.get(argument.name) ?? query.argumentReads.get(wireName)
  if (read === undefined || read.from === 'relation' || (named.kind !== 'scalar' && named.kind !== 'enum')) {
    throw inputError(context, wireName, `the source of "${query.wireName}" has nothing to compare it with.`)
  }
  const column = read.from === 'column' ? read.column : read.key
  const stored = columnOrKey(row, column, read.from === 'column' ? read.column_type : null)
  const decode = idDecoder(query, argument)
  if (stored.from === 'column' && stored.type?.startsWith('_')) {
    const element = stored.type.slice(1)
    const slot = valueSlot(context, value, wireName, (raw) => toTexts(raw, named, element))
    const array = cast(parameter(slot), stored.type)
    return argument.type.kind === 'list' ? sql`${stored.sql} = ${array}` : sql`${stored.sql} @> ${array}`
  }
  const target = comparable(named, stored)
  if (argument.type.kind === 'list') {
    const slot = valueSlot(context, value, wireName, (raw) => toTexts(raw, named, target.type))
    return sql`${target.value} = ANY(${target.list(parameter(slot))})`
  }
  const slot = valueSlot(context, value, wireName, (raw) => toText(decode(raw), named, target.type))
  return sql`${target.value} = ${target.operand(parameter(slot))}`
}

/** Single queries of relay types take the global id, too (behaviours 6). */
function idDecoder(query: QueryModel, argument: ArgumentModel): (value: unknown) => unknown {
  const type = query.named as ObjectType | InterfaceType
  if (query.list || type.kind !== 'object' || !type.relay || argument.named.name !== 'ID') return (value) => value
  return (value) => {
    const node = typeof value === 'string' ? nodeIdOf(value) : null
    return node !== null && node.type === type.name ? node.id : value
  }
}
