import type { ArgumentNode } from '../../../contract/operation.ts'
import type { Condition } from '../../../contract/plan/condition.ts'
import type { OrderTerm } from '../../../contract/plan/read-plan.ts'
import type { SourceRow, Target } from '../../../contract/plan/stored-value.ts'
import type { FieldModel, ObjectType, QueryModel } from '../../../schema/model.ts'
import { convertSearchText } from '../../../schema/operators/search-text.ts'
import { inputError, type PlanContext } from '../context/plan-context.ts'
import { argumentValue, type PlanValue } from '../context/plan-value.ts'
import { targetOf } from '../values/operand.ts'
import { valueSlot } from '../values/operand-slot.ts'
import { fieldValue } from '../values/stored.ts'

/**
 * Name of the argument with which a plugin that serves a protocol (not a client) searches a list query. It selects rows
 * with a match in one of their `searchable` fields. The schema cannot declare this name.
 */
export const SEARCH_ARGUMENT = '@search'

const OPERATOR = '_websearch_query'

/**
 * Returns the fields of a type that a search covers: those marked `searchable`. Empty if the database has no full-text
 * search.
 */
export function searchableFields({ fields }: ObjectType): readonly FieldModel[] {
  return [...fields.values()].filter(
    ({ searchable, lackingOperators }) => searchable && !lackingOperators.has(OPERATOR),
  )
}

interface Search {
  readonly value: PlanValue
  readonly targets: readonly Target[]
}

function searchOf(
  context: PlanContext,
  { named }: QueryModel,
  args: readonly ArgumentNode[],
  row: SourceRow,
): Search | null {
  const value = argumentValue(args, SEARCH_ARGUMENT, context.variables)
  if (value.sample === undefined || value.sample === null || named.kind !== 'object') return null
  const denied = context.access?.denied
  // Fields that are denied to the caller are not searched: a match would reveal their content.
  const fields = searchableFields(named).filter(
    ({ wireName }) => denied === undefined || !denied.has(`${named.name}.${wireName}`),
  )
  return { value, targets: fields.flatMap((field) => toTarget(row, field)) }
}

function toTarget(row: SourceRow, field: FieldModel): readonly Target[] {
  const value = fieldValue(row, field)
  return value === null || field.named.kind !== 'scalar' ? [] : [targetOf(field.named, value)]
}

/**
 * Plans the condition of {@link SEARCH_ARGUMENT}: at least one searchable field of the row matches. Without searchable
 * fields, no row matches.
 * @param args arguments of the root field
 * @returns `null`: the front passes no search
 */
export function searchCondition(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  row: SourceRow,
): Condition | null {
  const search = searchOf(context, query, args, row)
  if (search === null) return null
  const slot = valueSlot(context, search.value, 'search', text(context))
  const conditions = search.targets.map(
    (target): Condition => ({ kind: 'compare', operator: OPERATOR, target, operand: { kind: 'string', slot } }),
  )
  if (conditions.length === 0) return { kind: 'constant', holds: false }
  return { kind: 'group', joint: 'or', conditions }
}

/**
 * Plans the sort key that puts rows with the best match for {@link SEARCH_ARGUMENT} first.
 * @param args arguments of the root field
 * @returns `null`: the front passes no search, or the type has no searchable fields
 */
export function searchOrder(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  row: SourceRow,
): OrderTerm | null {
  const search = searchOf(context, query, args, row)
  if (search === null || search.targets.length === 0) return null
  return { kind: 'relevance', targets: search.targets, slot: valueSlot(context, search.value, 'search', text(context)) }
}

function text(context: PlanContext): (value: unknown) => string {
  return (value) => {
    if (typeof value === 'string' && !value.includes('\0')) return convertSearchText(value)
    throw inputError(context, 'search', 'there has to be a text without the character U+0000.')
  }
}
