import type { FieldModel, InterfaceType, ObjectType } from '../schema/model.ts'
import { allOf, FALSE, join, type SqlFragment, sql, TRUE } from '../sql/fragment.ts'
import { didYouMean, listNames } from '../util/nearest.ts'
import { comparable, comparableList } from './operand.ts'
import { operandOf } from './operand-slot.ts'
import { operatorOf, operatorsFor } from './operators.ts'
import { inputError, limitError, type PlanContext } from './plan-context.ts'
import { entriesOf, itemsOf, type PlanValue } from './plan-value.ts'
import { filterOverObjects } from './relation-filter.ts'
import { fieldValue, type Row } from './row.ts'

const DEEPEST = 32
const MOST_CONDITIONS = 1000

/** A type whose rows can be filtered: unions have no fields of their own. */
export type Filterable = ObjectType | InterfaceType

/**
 * A `where` value as a condition over a row (behaviours 2.5, 3).
 * @param place dotted path of the argument, for errors
 * @returns `null` = no condition; `{}` is true wherever it stands, and `_not` turns it round
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR
 */
export function compileWhere(
  context: PlanContext,
  type: Filterable,
  row: Row,
  value: PlanValue,
  place: string,
  depth = 0,
): SqlFragment | null {
  if (value.sample === null || value.sample === undefined) return null
  if (depth > DEEPEST) throw limitError(context, place, `a filter may be nested ${DEEPEST} levels deep.`)
  const entries = entriesOf(value, context.variables)
  if (entries === null) throw inputError(context, place, `a filter of ${type.name} is an object.`)
  const conditions: SqlFragment[] = []
  for (const [key, member] of entries) {
    const condition = compileMember(context, type, row, key, member, `${place}.${key}`, depth + 1)
    if (condition !== null) conditions.push(condition)
  }
  return allOf(conditions)
}

function compileMember(
  context: PlanContext,
  type: Filterable,
  row: Row,
  key: string,
  value: PlanValue,
  place: string,
  depth: number,
): SqlFragment | null {
  if (key === '_and' || key === '_or') {
    if (value.sample === null) return null
    const parts = itemsOf(value, context.variables).map(
      (item, index) => compileWhere(context, type, row, item, `${place}[${index}]`, depth) ?? TRUE,
    )
    if (parts.length === 0) return key === '_and' ? TRUE : FALSE
    return sql`(${join(parts.map(parenthesised), key === '_and' ? ' AND ' : ' OR ')})`
  }
  if (key === '_not') {
    if (value.sample === null) return null
    const inner = compileWhere(context, type, row, value, place, depth)
    return inner === null ? FALSE : sql`NOT (${inner})`
  }
  const field = type.fields.get(key)
  if (field === undefined || !field.filterable) {
    const names = filterableNames(type)
    throw inputError(
      context,
      place,
      `${type.name} has no filter "${key}".${didYouMean(key, names)} It has ${listNames(names)}.`,
    )
  }
  if (value.sample === null) return null
  if (field.named.kind === 'object' || field.named.kind === 'interface' || field.named.kind === 'union') {
    return filterOverObjects(context, field, row, value, place, depth)
  }
  return compileOperators(context, field, row, value, place)
}

function parenthesised(fragment: SqlFragment): SqlFragment {
  return sql`(${fragment})`
}

function filterableNames(type: Filterable): readonly string[] {
  return ['_and', '_or', '_not', ...[...type.fields.values()].filter((f) => f.filterable).map((f) => f.wireName)]
}

/** `{ _gte: 1, _lt: 5 }` on one field. */
function compileOperators(
  context: PlanContext,
  field: FieldModel,
  row: Row,
  value: PlanValue,
  place: string,
): SqlFragment | null {
  const entries = entriesOf(value, context.variables)
  if (entries === null) {
    throw inputError(context, place, `a filter is an object of operators, such as { _eq: … }.`)
  }
  const { named } = field
  if (named.kind !== 'scalar' && named.kind !== 'enum')
    throw inputError(context, place, 'this field cannot be filtered.')
  const stored = fieldValue(row, field)
  if (stored === null) throw inputError(context, place, 'this field is computed and cannot be filtered.')
  const target = field.type.kind === 'list' ? comparableList(named, stored) : comparable(named, stored)
  const conditions: SqlFragment[] = []
  for (const [name, operand] of entries) {
    countCondition(context, place)
    const operator = operatorOf(field, name)
    const emit = operator?.emit[context.settings.dialect]
    if (operator === undefined || emit === undefined) {
      const names = operatorsFor(field).map((candidate) => candidate.name)
      throw inputError(
        context,
        `${place}.${name}`,
        `"${field.wireName}" has no operator "${name}".${didYouMean(name, names)} It has ${listNames(names, 40)}.`,
      )
    }
    conditions.push(emit(target, operandOf(context, operator, field, target, operand, `${place}.${name}`)))
  }
  return allOf(conditions)
}

function countCondition(context: PlanContext, place: string): void {
  context.counts.conditions += 1
  if (context.counts.conditions > MOST_CONDITIONS) {
    throw limitError(context, place, `a request may have ${MOST_CONDITIONS} conditions; use _in for long lists.`)
  }
}
