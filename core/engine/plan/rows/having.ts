import { didYouMean, listNames } from '../../../base/util/nearest.ts'
import type { AggregateCondition, Measure } from '../../../contract/operation.ts'
import type { GroupCondition } from '../../../contract/plan/read-plan.ts'
import type { Aggregates, FieldFunction } from '../../../schema/aggregates-of.ts'
import { countCondition } from '../context/limits.ts'
import { inputError, limitError, type PlanContext } from '../context/plan-context.ts'
import { entriesOf, itemsOf, type PlanValue, valueOfNode } from '../context/plan-value.ts'
import { valueSlot } from '../values/operand-slot.ts'
import type { AggregateColumns } from './aggregate-columns.ts'

/** The comparison operators that conditions on groups (`having`) accept. */
export const GROUP_OPERATORS = ['_eq', '_neq', '_gt', '_gte', '_lt', '_lte'] as const

const DEEPEST = 32

interface Having {
  readonly context: PlanContext
  readonly columns: AggregateColumns
  readonly offered: Aggregates
}

/**
 * Plans the conditions on groups: those in `given`, and those of the argument `having`.
 * @param columns columns of the aggregate; the function adds those that are only compared
 * @param offered aggregates that the schema offers for the type
 * @param given conditions that the plugin serving the protocol adds
 * @param wire the argument `having` of the client
 * @throws SvcError BAD_USER_INPUT: a condition is invalid; VALIDATION_ERROR: the argument is nested too deeply, or the
 * schema does not offer an aggregate
 */
export function planHaving(
  context: PlanContext,
  columns: AggregateColumns,
  offered: Aggregates,
  given: readonly AggregateCondition[],
  wire: PlanValue,
): readonly GroupCondition[] {
  const having = { context, columns, offered }
  const said = given.map(({ measure, operator, value }) =>
    compare(having, measure, operator, valueOfNode(value, context.variables), `having.${measure.function}`),
  )
  return [...said, ...planObject(having, wire, 'having', 0)]
}

function planObject(having: Having, value: PlanValue, place: string, depth: number): readonly GroupCondition[] {
  const { context, offered, columns } = having
  if (isNothing(value)) {
    if (depth > 0) throw nullInGroups(context, place)
    return []
  }
  if (depth > DEEPEST) throw limitError(context, place, `a filter may be nested ${DEEPEST} levels deep.`)
  const entries = entriesOf(value, context.variables)
  if (entries === null) throw inputError(context, place, 'a condition on groups is an object.')
  return entries.flatMap(([key, member]): readonly GroupCondition[] => {
    const at = `${place}.${key}`
    if (isNothing(member)) throw nullInGroups(context, at)
    if (key === '_and' || key === '_or') {
      const parts = itemsOf(member, context.variables).map((item, index) =>
        allOf(planObject(having, item, `${at}[${index}]`, depth + 1)),
      )
      const group: GroupCondition = { kind: 'group', joint: key === '_and' ? 'and' : 'or', conditions: parts }
      for (const part of [group, ...parts]) countNothing(context, part, at)
      return [group]
    }
    if (key === '_not') {
      const condition = allOf(planObject(having, member, at, depth + 1))
      countNothing(context, condition, at)
      return [{ kind: 'not', condition }]
    }
    if (key === 'count') return planOperators(having, { function: 'count', field: null }, member, at)
    const fields = offered.measures.get(key as FieldFunction)
    if (fields === undefined) {
      throw unknown(context, at, key, ['count', ...offered.measures.keys(), '_and', '_or', '_not'])
    }
    const measured = entriesOf(member, context.variables)
    if (measured === null) throw inputError(context, at, 'this is an object of fields.')
    return measured.flatMap(([name, operators]) => {
      const field = fields.get(name)?.field
      if (field === undefined) throw unknown(context, `${at}.${name}`, name, [...fields.keys()])
      columns.refuseClosed(field, at)
      return planOperators(having, { function: key as FieldFunction, field }, operators, `${at}.${name}`)
    })
  })
}

function planOperators(having: Having, measure: Measure, value: PlanValue, place: string): readonly GroupCondition[] {
  const { context } = having
  if (isNothing(value)) throw nullInGroups(context, place)
  const entries = entriesOf(value, context.variables)
  if (entries === null) throw inputError(context, place, 'a condition is an object of operators, such as { _gt: … }.')
  return entries.map(([name, operand]) => {
    const operator = GROUP_OPERATORS.find((known) => known === name)
    if (operator === undefined) throw unknown(context, `${place}.${name}`, name, GROUP_OPERATORS)
    return compare(having, measure, operator, operand, `${place}.${name}`)
  })
}

function compare(
  { context, columns }: Having,
  measure: Measure,
  operator: (typeof GROUP_OPERATORS)[number],
  value: PlanValue,
  place: string,
): GroupCondition {
  if (isNothing(value)) throw nullInGroups(context, place)
  const operand = valueSlot(context, value, place, (raw) => columns.operandOf(measure, raw))
  columns.refuseClosed(measure.field, 'having')
  countCondition(context, place)
  return { kind: 'compare', column: columns.measure(measure), operator, operand }
}

/** Counts an empty condition, which is written to the statement as well. */
function countNothing(context: PlanContext, condition: GroupCondition, place: string): void {
  if (condition.kind === 'group' && condition.conditions.length === 0) countCondition(context, place)
}

function allOf(conditions: readonly GroupCondition[]): GroupCondition {
  const [only] = conditions
  return conditions.length === 1 && only !== undefined ? only : { kind: 'group', joint: 'and', conditions }
}

/** The error of a null condition, as in filters of rows (`nullInFilter`). Aggregates have no `_is_null`. */
function nullInGroups(context: PlanContext, place: string): Error {
  return inputError(context, place, 'null is no condition on groups. Leave the member out.')
}

function isNothing({ sample }: PlanValue): boolean {
  return sample === null || sample === undefined
}

function unknown(context: PlanContext, place: string, name: string, names: readonly string[]): Error {
  return inputError(context, place, `there is no "${name}".${didYouMean(name, names)} There are ${listNames(names)}.`)
}
