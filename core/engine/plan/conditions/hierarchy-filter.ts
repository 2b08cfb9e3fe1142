import type { Condition } from '../../../contract/plan/condition.ts'
import type { StoredValue } from '../../../contract/plan/stored-value.ts'
import type { FieldModel } from '../../../schema/model.ts'
import type { Operator } from '../../../schema/operators/operator.ts'
import { SCALAR_OPERATORS } from '../../../schema/operators/operators-scalar.ts'
import { inputError, type PlanContext } from '../context/plan-context.ts'
import type { PlanValue } from '../context/plan-value.ts'
import { refuseClosed } from '../context/refuse-closed.ts'
import { openRows } from '../sources/open-rows.ts'
import { targetOf } from '../values/operand.ts'
import { operandOf } from '../values/operand-slot.ts'
import { fieldValue } from '../values/stored.ts'

const EQUAL = SCALAR_OPERATORS.find(({ name }) => name === '_eq')!

/**
 * Plans a filter that compares a path (ltree) with the path of another row, which the client names by id, such as
 * `_descendant_of_id`. The other row is read under the access rules of its type: a row that the caller may not read
 * counts as missing.
 * @param outer the stored path of the filtered row
 * @param place path of the operator in the arguments, for errors
 * @throws SvcError BAD_USER_INPUT: the operand is invalid; the error of the denial, if the caller may not see a field
 * that the filter reads
 */
export function hierarchyCondition(
  context: PlanContext,
  operator: Operator,
  field: FieldModel,
  outer: StoredValue,
  value: PlanValue,
  place: string,
): Condition {
  const { hierarchy } = field
  if (hierarchy === null || hierarchy.type.source === null) throw new Error(`${field.name} has no hierarchy`)
  const { type } = hierarchy
  const path = type.fields.get(hierarchy.path)
  const id = type.fields.get(hierarchy.id)
  if (path === undefined || id === undefined || (id.named.kind !== 'scalar' && id.named.kind !== 'enum'))
    throw new Error(`The hierarchy of ${field.name} has no ${hierarchy.path} or no ${hierarchy.id}`)
  refuseClosed(context, type, path, place)
  refuseClosed(context, type, id, place)
  const { row, rules } = openRows(context, { named: type, typeColumn: '__typename' }, type.source!, type.document, null)
  const inner = fieldValue(row, path)
  const key = fieldValue(row, id)
  if (inner === null || key === null) throw inputError(context, place, `${type.name} does not store its paths.`)
  const target = targetOf(id.named, key)
  const operand = operandOf(context, EQUAL, id, target, value, place)
  return {
    kind: 'exists',
    quantifier: 'some',
    over: { kind: 'rows', row, rules, tie: { inner, outer, type: null, by: operator.id } },
    condition: { kind: 'compare', operator: EQUAL.id, target, operand },
  }
}
