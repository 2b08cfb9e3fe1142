import { SvcError } from '../errors/svc-error.ts'
import type { Slot } from '../front/slot.ts'
import type { Parameter } from '../front/statement.ts'
import type { FieldModel } from '../schema/model.ts'
import type { Operand } from './condition.ts'
import { toJsonText, toText, toTexts } from './operand.ts'
import type { Operator } from './operator.ts'
import { inputError, type PlanContext } from './plan-context.ts'
import type { PlanValue } from './plan-value.ts'
import type { Target } from './stored-value.ts'

/**
 * The right side of an operator. Its value is checked and turned into text when the request is bound.
 * @throws SvcError BAD_USER_INPUT for a null operand, and for a constant that does not fit
 */
export function operandOf(
  context: PlanContext,
  operator: Operator,
  field: FieldModel,
  target: Target,
  value: PlanValue,
  place: string,
): Operand {
  if (value.sample === null || value.sample === undefined) {
    throw inputError(context, place, `null is no operand of ${operator.name}. Use _is_null to look for nulls.`)
  }
  const kind = operator.operand
  if (kind === 'boolean') {
    if (typeof value.sample !== 'boolean') throw inputError(context, place, `${operator.name} takes true or false.`)
    return { kind, yes: value.sample }
  }
  return { kind, slot: valueSlot(context, value, place, toParameter(operator, field, target)) }
}

function toParameter(operator: Operator, field: FieldModel, target: Target): (value: unknown) => Parameter {
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
  context: Pick<PlanContext, 'path'>,
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
