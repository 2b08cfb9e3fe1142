import { SvcError } from '../errors/svc-error.ts'
import type { Parameter } from '../front/database.ts'
import type { FieldModel } from '../schema/model.ts'
import { cast, NULL, parameter, type Slot, type SqlFragment } from '../sql/fragment.ts'
import { type Comparable, toJsonText, toText, toTexts } from './operand.ts'
import type { Operator, OperatorOperand } from './operator.ts'
import { inputError, type PlanContext } from './plan-context.ts'
import type { PlanValue } from './plan-value.ts'

/**
 * The right side of an operator. Its value is checked and turned into text when the request is bound.
 * @throws SvcError BAD_USER_INPUT for a null operand, and for a constant that does not fit
 */
export function operandOf(
  context: PlanContext,
  operator: Operator,
  field: FieldModel,
  target: Comparable,
  value: PlanValue,
  place: string,
): OperatorOperand {
  if (value.sample === null || value.sample === undefined) {
    throw inputError(context, place, `null is no operand of ${operator.name}. Use _is_null to look for nulls.`)
  }
  if (operator.operand === 'boolean') {
    if (typeof value.sample !== 'boolean') throw inputError(context, place, `${operator.name} takes true or false.`)
    return { sql: NULL, yes: value.sample }
  }
  const slot = valueSlot(context, value, place, toParameter(operator, field, target))
  return { sql: castOperand(operator, target, parameter(slot)), yes: false }
}

function castOperand(operator: Operator, target: Comparable, slot: SqlFragment): SqlFragment {
  switch (operator.operand) {
    case 'field':
      return target.operand(slot)
    case 'list':
      return target.list(slot)
    case 'int':
      return cast(slot, 'int4')
    case 'strings':
      return cast(slot, '_text')
    case 'json':
      return cast(slot, 'jsonb')
    default:
      return cast(slot, 'text')
  }
}

function toParameter(operator: Operator, field: FieldModel, target: Comparable): (value: unknown) => Parameter {
  const { convert } = operator
  switch (operator.operand) {
    case 'field':
      return (value) => toText(value, field.named, target.type)
    case 'list':
      return (value) => toTexts(value, field.named, target.type)
    case 'int':
      return (value) => toText(value, null, 'int4')
    case 'strings':
      return (value) => toTexts(value, null, null)
    case 'json':
      return toJsonText
    default:
      return (value) => toText(convert === null ? value : convert(value), null, null)
  }
}

/**
 * A parameter that is read from the variables, or, when the document gives the value, computed once.
 * @param convert throws an Error that says what is wrong with the value
 */
export function valueSlot(
  context: PlanContext,
  value: PlanValue,
  place: string,
  convert: (value: unknown) => Parameter,
): Slot {
  const at = { path: context.path }
  const convertAt = (raw: unknown): Parameter => {
    try {
      return convert(raw)
    } catch (error) {
      if (error instanceof SvcError) throw error
      throw inputError(at, place, `${error instanceof Error ? error.message : String(error)}.`)
    }
  }
  if (value.constant) {
    const constant = convertAt(value.sample)
    return { read: () => constant }
  }
  const { read } = value
  return { read: (input) => convertAt(read(input.variables)) }
}
