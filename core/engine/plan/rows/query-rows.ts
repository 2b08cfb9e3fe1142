import type { SvcError } from '../../../base/errors/svc-error.ts'
import type { ArgumentNode, QueryRoot } from '../../../contract/operation.ts'
import type { Condition } from '../../../contract/plan/condition.ts'
import type { CountOf, OrderTerm } from '../../../contract/plan/read-plan.ts'
import type { SourceRow, StoredValue } from '../../../contract/plan/stored-value.ts'
import type { ArgumentModel, InterfaceType, ObjectType, OutputComposite, QueryModel } from '../../../schema/model.ts'
import { rankOrder, readSearch, searchedCondition } from '../conditions/full-text.ts'
import { searchCondition } from '../conditions/search.ts'
import { planWhere } from '../conditions/where.ts'
import { inputError, type PlanContext } from '../context/plan-context.ts'
import { argumentValue, type PlanValue } from '../context/plan-value.ts'
import { type OpenedRows, openRows } from '../sources/open-rows.ts'
import { listTargetOf, targetOf, toText, toTexts } from '../values/operand.ts'
import { valueSlot } from '../values/operand-slot.ts'
import { columnOrKey } from '../values/stored.ts'
import { nodeIdOf } from './node-id.ts'
import { isNothing } from './page.ts'

/** Returns the rows of the view or table that a query reads, with the access rules that apply to them. */
export function openQueryRows(context: PlanContext, query: QueryModel): OpenedRows {
  const typeDocument = query.named.kind === 'object' ? query.named.document : null
  const of = { named: rowsOfQuery(query), typeColumn: query.typeColumn }
  return openRows(context, of, query.source, query.document ?? typeDocument ?? documentColumn(query), query)
}

/** @throws Error for a query whose result has no rows; the compiler rejects such queries */
function rowsOfQuery({ named, wireName }: QueryModel): OutputComposite {
  if (named.kind === 'object' || named.kind === 'interface' || named.kind === 'union') return named
  throw new Error(`${wireName} returns ${named.name}, which has no rows`)
}

/** Returns the JSON column. Interfaces and unions declare none: it is `data` if the source has such a column. */
function documentColumn(query: QueryModel): string | null {
  const column = query.source.columns.find(({ name }) => name === 'data')
  return query.named.kind !== 'object' && column !== undefined && /^jsonb?$/.test(column.type) ? 'data' : null
}

/** Plans the total number of rows of a list query, with all its conditions and without limit and offset. */
export function planCountOf(context: PlanContext, root: Pick<QueryRoot, 'operation' | 'arguments'>): CountOf {
  const { row, rules } = openQueryRows(context, root.operation)
  return { row, rules, ...queryConditions(context, root.operation, root.arguments, row) }
}

/** The conditions from the arguments of a query. Access rules (`inject`, `row_filter`) are not included. */
export interface QueryConditions {
  /** Conditions from the arguments that the schema declares. */
  readonly where: readonly Condition[]
  /** Condition from the argument `where`; `null`: none. */
  readonly filter: Condition | null
}

/**
 * Plans the conditions from the arguments of a query.
 * @param args arguments of the root field
 */
export function queryConditions(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  row: SourceRow,
): QueryConditions {
  const { where, filter } = rankedConditions(context, query, args, row)
  return { where, filter }
}

/**
 * Plans the conditions from the arguments of a query, and the sort keys of its full-text arguments, which put the best
 * match first.
 * @param args arguments of the root field
 * @returns `ranks`: the sort keys, in the order of the arguments
 */
export function rankedConditions(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  row: SourceRow,
): QueryConditions & { readonly ranks: readonly OrderTerm[] } {
  const where: Condition[] = []
  const ranks: OrderTerm[] = []
  for (const argument of query.arguments.values()) {
    const value = argumentValue(args, argument.wireName, context.variables)
    if (isNothing(value)) continue
    const { full_text: fullText } = argument.compiled
    if (fullText === undefined) {
      where.push(argumentCondition(context, query, argument, value, row))
      continue
    }
    const stored = comparedWith(context, query, argument, row)
    const search = readSearch(context, fullText, stored, value, argument.wireName)
    where.push(searchedCondition(search))
    if (search.rank) ranks.push(rankOrder(search))
  }
  const search = searchCondition(context, query, args, row)
  if (search !== null) where.push(search)
  // A front may look up the row of a single query by a field that clients cannot filter by.
  if ((query.list && !query.autoParams.where) || (query.named.kind !== 'object' && query.named.kind !== 'interface')) {
    return { where, filter: null, ranks }
  }
  const given = argumentValue(args, 'where', context.variables)
  return { where, filter: planWhere(context, query.named, row, given, 'where'), ranks }
}

/** Tests whether an argument is compared with a list that is stored as JSON. */
function isListInJson({ named }: QueryModel, { wireName }: ArgumentModel): boolean {
  const field = named.kind === 'object' || named.kind === 'interface' ? named.fields.get(wireName) : undefined
  return field?.type.kind === 'list' && (field.named.kind === 'scalar' || field.named.kind === 'enum')
}

/**
 * Plans a declared argument as a condition. A single value must equal the column, or be an item of a stored list. A list must contain
 * the column's value, or equal a stored list.
 */
function argumentCondition(
  context: PlanContext,
  query: QueryModel,
  argument: ArgumentModel,
  value: PlanValue,
  row: SourceRow,
): Condition {
  const { named, wireName } = argument
  const stored = comparedWith(context, query, argument, row)
  if (named.kind !== 'scalar' && named.kind !== 'enum') throw nothingToCompare(context, query, wireName)
  const decode = idDecoder(query, argument)
  if (stored.from === 'column' && stored.type?.startsWith('_')) {
    const type = stored.type.slice(1)
    const slot = valueSlot(context, value, wireName, (raw) => toTexts(raw, named, type))
    const target = { value: stored, named: null, list: true, type }
    const operator = argument.type.kind === 'list' ? '_eq:list' : '_contains:list'
    return { kind: 'compare', operator, target, operand: { kind: 'list', slot } }
  }
  if (isListInJson(query, argument)) {
    const target = listTargetOf(named, stored)
    const slot = valueSlot(context, value, wireName, (raw) => toTexts(raw, named, target.type))
    const operator = argument.type.kind === 'list' ? '_eq:list' : '_contains:list'
    return { kind: 'compare', operator, target, operand: { kind: 'list', slot } }
  }
  const target = targetOf(named, stored)
  const place = stored.from === 'column' && stored.place !== undefined ? ':place' : ''
  if (argument.type.kind === 'list') {
    const slot = valueSlot(context, value, wireName, (raw) => toTexts(raw, named, target.type))
    return { kind: 'compare', operator: `_in${place}`, target, operand: { kind: 'list', slot } }
  }
  const slot = valueSlot(context, value, wireName, (raw) => toText(decode(raw), named, target.type))
  return { kind: 'compare', operator: `_eq${place}`, target, operand: { kind: 'field', slot } }
}

/** Returns the stored value that an argument is compared with. @throws SvcError BAD_USER_INPUT: there is none */
function comparedWith(context: PlanContext, query: QueryModel, argument: ArgumentModel, row: SourceRow): StoredValue {
  const read = query.argumentReads.get(argument.name) ?? query.argumentReads.get(argument.wireName)
  if (read === undefined || read.from === 'relation') throw nothingToCompare(context, query, argument.wireName)
  return read.from === 'column' ? columnOrKey(row, read.column, read.column_type) : columnOrKey(row, read.key, null)
}

function nothingToCompare(context: PlanContext, { wireName }: QueryModel, argument: string): SvcError {
  return inputError(context, argument, `the source of "${wireName}" has nothing to compare it with.`)
}

/**
 * Returns the function that decodes an id argument. A single query of a relay type accepts the global id, base64 of `Type:id`, beside
 * the plain id (docs/guides/query.md#relay-connections).
 */
function idDecoder(query: QueryModel, argument: ArgumentModel): (value: unknown) => unknown {
  const type = query.named as ObjectType | InterfaceType
  if (query.list || type.kind !== 'object' || !type.relay || argument.named.name !== 'ID') return (value) => value
  return (value) => {
    const node = typeof value === 'string' ? nodeIdOf(value) : null
    return node !== null && node.type === type.name ? node.id : value
  }
}
