import { didYouMean, listNames } from '../../../base/util/nearest.ts'
import type { Condition, EmbeddedObjects, ExistsCondition, RelatedRows } from '../../../contract/plan/condition.ts'
import type { RowRef } from '../../../contract/plan/stored-value.ts'
import type { FieldModel, InterfaceType, ObjectType } from '../../../schema/model.ts'
import { countCondition, countRelation } from '../context/limits.ts'
import { inputError, type PlanContext } from '../context/plan-context.ts'
import { entriesOf, type PlanValue } from '../context/plan-value.ts'
import { refuseRuledCopy } from '../sources/refuse-ruled-copies.ts'
import { relatedRows } from '../sources/related.ts'
import { fieldValue, jsonTypeOf } from '../values/stored.ts'

/** A type whose rows can be filtered. Unions have no fields and cannot. */
export type Filterable = ObjectType | InterfaceType

/**
 * Plans a filter on the rows or objects of a relation, like `planWhere`. It is passed as a value, because `planWhere`
 * itself calls this module.
 * @param place path of the filter in the arguments, for errors
 * @param depth nesting level of the filter
 * @returns `null`: no condition
 */
export type PlanInner = (
  context: PlanContext,
  type: Filterable,
  row: RowRef,
  value: PlanValue,
  place: string,
  depth: number,
) => Condition | null

const QUANTIFIERS = ['some', 'every', 'none'] as const

/**
 * Plans a filter on related objects, which are rows of another view or table, or part of a JSON document. For a single
 * object, the condition is that it exists and matches. A list has `some`, `every` and `none`; `every` is true for an
 * empty list.
 * @param planInner plans the filter of the related objects
 * @param row row that the relation starts at
 * @param place path of the filter in the arguments, for errors
 * @param depth nesting level of the filter
 * @returns `null`: no condition
 * @throws SvcError BAD_USER_INPUT: the filter is invalid; VALIDATION_ERROR: it exceeds a limit, such as the number of
 * relations
 */
export function filterOverObjects(
  context: PlanContext,
  planInner: PlanInner,
  field: FieldModel,
  row: RowRef,
  value: PlanValue,
  place: string,
  depth: number,
): Condition | null {
  const type = field.named
  if (type.kind !== 'object' && type.kind !== 'interface') {
    throw inputError(context, place, `"${field.wireName}" cannot be filtered.`)
  }
  const count = field.read?.from === 'relation' ? countRelation : countCondition
  if (!field.list) {
    count(context, place)
    const over = rangeOf(context, field, type, row)
    return {
      kind: 'exists',
      quantifier: 'some',
      over,
      condition: planInner(context, type, over.row, value, place, depth),
    }
  }
  const entries = entriesOf(value, context.variables)
  if (entries === null) throw inputError(context, place, 'a filter over a list is an object of some, every, none.')
  const conditions: ExistsCondition[] = []
  for (const [quantifier, member] of entries) {
    if (!isQuantifier(quantifier)) {
      const hint = didYouMean(quantifier, QUANTIFIERS)
      throw inputError(
        context,
        `${place}.${quantifier}`,
        `"${field.wireName}" is a list.${hint} Its filter takes ${listNames(QUANTIFIERS)}.`,
      )
    }
    count(context, place)
    // Each quantifier ranges over rows of its own.
    const over = rangeOf(context, field, type, row)
    const condition = planInner(context, type, over.row, member, `${place}.${quantifier}`, depth + 1)
    if (quantifier !== 'every' || condition !== null) conditions.push({ kind: 'exists', quantifier, over, condition })
  }
  return conditions.length === 0 ? null : { kind: 'quantifiers', conditions }
}

function isQuantifier(name: string): name is (typeof QUANTIFIERS)[number] {
  return (QUANTIFIERS as readonly string[]).includes(name)
}

/**
 * Returns the related rows, or the objects in a JSON document, that a filter on a field of objects tests.
 * @param row row that the field belongs to
 */
export function rangeOf(
  context: PlanContext,
  field: FieldModel,
  type: Filterable,
  row: RowRef,
): RelatedRows | EmbeddedObjects {
  if (field.read?.from === 'relation') {
    if (field.read.across === true) {
      throw inputError(context, field.wireName, `${type.name} is of another database: rows are not chosen by its rows.`)
    }
    return { kind: 'rows', ...relatedRows(context, field, field.read, row) }
  }
  // Conditions of `authorize` may read objects without the rules of their type.
  if (context.bound === 'variables') refuseRuledCopy(type, context.access, field.wireName)
  const value = fieldValue(row, field)
  if (value === null) throw inputError(context, field.wireName, `${type.name} is not stored here.`)
  return { kind: 'embedded', row: { kind: 'embedded', json: jsonTypeOf(value) }, value, list: field.list }
}
