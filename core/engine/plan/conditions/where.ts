import type { SvcError } from '../../../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../../../base/util/nearest.ts'
import type { Condition } from '../../../contract/plan/condition.ts'
import type { RowRef } from '../../../contract/plan/stored-value.ts'
import type { FieldModel } from '../../../schema/model.ts'
import { anyOperatorOf, operatorOf, operatorsFor } from '../../../schema/operators/operators.ts'
import { countCondition } from '../context/limits.ts'
import { type ErrorPlace, inputError, limitError, type PlanContext } from '../context/plan-context.ts'
import { entriesOf, itemsOf, type PlanValue } from '../context/plan-value.ts'
import { refuseClosed } from '../context/refuse-closed.ts'
import { listTargetOf, targetOf } from '../values/operand.ts'
import { operandOf } from '../values/operand-slot.ts'
import { fieldValue } from '../values/stored.ts'
import { hierarchyCondition } from './hierarchy-filter.ts'
import { type Filterable, filterOverObjects } from './relation-filter.ts'

/** Deepest nesting: 64 levels of REST groups (docs/guides/rest.md#filters), a negation in them, and the AND with other filters. */
const DEEPEST = 66

/**
 * Plans a `where` argument as a condition on rows of a type (docs/guides/query.md#filters).
 * @param value the filter. `null` as a whole means no filter, a `null` inside it is an error, and `{}` is always true
 * @param place path of the filter in the arguments, for errors
 * @param depth nesting level of the filter
 * @returns `null`: no condition
 * @throws SvcError BAD_USER_INPUT: the filter is invalid; VALIDATION_ERROR: it exceeds a limit, such as the nesting
 * depth
 */
export function planWhere(
  context: PlanContext,
  type: Filterable,
  row: RowRef,
  value: PlanValue,
  place: string,
  depth = 0,
): Condition | null {
  if (value.sample === null || value.sample === undefined) {
    if (depth > 0) throw nullInFilter(context, place)
    return null
  }
  if (depth > DEEPEST) throw limitError(context, place, `a filter may be nested ${DEEPEST} levels deep.`)
  const entries = entriesOf(value, context.variables)
  if (entries === null) throw inputError(context, place, `a filter of ${type.name} is an object.`)
  const conditions: Condition[] = []
  for (const [key, member] of entries) {
    const condition = planMember(context, type, row, key, member, `${place}.${key}`, depth + 1)
    if (condition !== null) conditions.push(condition)
  }
  return allOf(conditions)
}

function planMember(
  context: PlanContext,
  type: Filterable,
  row: RowRef,
  key: string,
  value: PlanValue,
  place: string,
  depth: number,
): Condition | null {
  if (value.sample === null) throw nullInFilter(context, place)
  if (key === '_and' || key === '_or') {
    const parts = itemsOf(value, context.variables).map(
      (item, index) =>
        planWhere(context, type, row, item, `${place}[${index}]`, depth) ?? counted(context, place, TRUE),
    )
    if (parts.length === 0) return counted(context, place, key === '_and' ? TRUE : FALSE)
    return { kind: 'group', joint: key === '_and' ? 'and' : 'or', conditions: parts }
  }
  if (key === '_not') {
    const inner = planWhere(context, type, row, value, place, depth)
    return inner === null ? counted(context, place, FALSE) : { kind: 'not', condition: inner }
  }
  const field = type.fields.get(key)
  // Conditions of `authorize` may use fields that clients cannot filter by.
  if (field === undefined || (!field.filterable && context.bound === 'variables')) {
    const names = filterableNames(type)
    throw inputError(
      context,
      place,
      `${type.name} has no filter "${key}".${didYouMean(key, names)} It has ${listNames(names)}.`,
    )
  }
  refuseClosed(context, type, field, place)
  if (field.named.kind === 'object' || field.named.kind === 'interface' || field.named.kind === 'union') {
    return filterOverObjects(context, planWhere, field, row, value, place, depth)
  }
  return planOperators(context, field, row, value, place)
}

/** Counts an empty condition, which is written to the statement as well. */
function counted(context: PlanContext, place: string, condition: Condition): Condition {
  countCondition(context, place)
  return condition
}

const TRUE: Condition = { kind: 'constant', holds: true }
const FALSE: Condition = { kind: 'constant', holds: false }

function filterableNames(type: Filterable): readonly string[] {
  return ['_and', '_or', '_not', ...[...type.fields.values()].filter((f) => f.filterable).map((f) => f.wireName)]
}

/** Plans the operators on one field: `{ _gte: 1, _lt: 5 }`. */
function planOperators(
  context: PlanContext,
  field: FieldModel,
  row: RowRef,
  value: PlanValue,
  place: string,
): Condition | null {
  const entries = entriesOf(value, context.variables)
  if (entries === null) {
    throw inputError(context, place, `a filter is an object of operators, such as { _eq: … }.`)
  }
  const { named } = field
  if (named.kind !== 'scalar' && named.kind !== 'enum')
    throw inputError(context, place, 'this field cannot be filtered.')
  const stored = fieldValue(row, field)
  if (stored === null) throw inputError(context, place, 'this field is computed and cannot be filtered.')
  const target = field.type.kind === 'list' ? listTargetOf(named, stored) : targetOf(named, stored)
  const conditions: Condition[] = []
  for (const [name, operand] of entries) {
    countCondition(context, place)
    const operator = context.bound === 'access' ? anyOperatorOf(field, name) : operatorOf(field, name)
    if (operator === undefined) {
      const names = operatorsFor(field).map((candidate) => candidate.name)
      throw inputError(
        context,
        `${place}.${name}`,
        `"${field.wireName}" has no operator "${name}".${didYouMean(name, names)} It has ${listNames(names, 40)}.`,
      )
    }
    if (operator.operand === 'key') {
      conditions.push(hierarchyCondition(context, operator, field, stored, operand, `${place}.${name}`))
      continue
    }
    const right = operandOf(context, operator, field, target, operand, `${place}.${name}`)
    conditions.push({ kind: 'compare', operator: operator.id, target, operand: right })
  }
  return allOf(conditions)
}

/** Joins conditions that must all hold. @returns `null` for an empty list */
function allOf(conditions: readonly Condition[]): Condition | null {
  const [only, ...others] = conditions
  return others.length === 0 ? (only ?? null) : { kind: 'all', conditions }
}

/**
 * Makes the error for a `null` inside a filter. Clients use it both for "no condition" and for "is null", so either reading would return
 * wrong rows to some of them. To express no condition, a client omits the member or the variable.
 */
function nullInFilter(context: ErrorPlace, place: string): SvcError {
  return inputError(context, place, 'null is no condition. Use _is_null to look for nulls, or leave the member out.')
}
