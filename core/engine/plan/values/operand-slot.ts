import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Access } from '../../../contract/access.ts'
import type { Operand } from '../../../contract/plan/condition.ts'
import type { Target } from '../../../contract/plan/stored-value.ts'
import type { BindInput, Slot } from '../../../contract/slot.ts'
import type { Parameter } from '../../../contract/statement.ts'
import type { FieldModel } from '../../../schema/model.ts'
import type { Operator } from '../../../schema/operators/operator.ts'
import { filterScalar } from '../../../schema/operators/operators.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import { type ErrorPlace, inputError, type PlanContext } from '../context/plan-context.ts'
import type { PlanValue } from '../context/plan-value.ts'
import { toJsonText, toText, toTexts } from './operand.ts'

/**
 * Plans the operand of a filter operator. Its value is checked and converted to text for each request.
 * @param target the stored value on the left side
 * @param place path of the operator in the arguments, for errors
 * @throws SvcError BAD_USER_INPUT for a null operand, and for an invalid constant
 */
export function operandOf(
  context: PlanContext,
  operator: Operator,
  field: FieldModel,
  target: Target,
  value: PlanValue,
  place: string,
): Operand {
  const kind = operator.operand
  if (value.sample === null || value.sample === undefined) {
    const way = kind === 'boolean' ? 'It takes true or false.' : 'Use _is_null to look for nulls.'
    throw inputError(context, place, `null is no operand of ${operator.name}. ${way}`)
  }
  if (kind === 'boolean') {
    if (typeof value.sample !== 'boolean') throw inputError(context, place, `${operator.name} takes true or false.`)
    return { kind, yes: value.sample }
  }
  const slot = valueSlot(context, value, place, toParameter(operator, field, target))
  if (kind === 'key') throw new Error(`${operator.name} is planned by the hierarchy of its field`)
  return { kind: kind === 'object' ? 'json' : kind === 'place' ? 'string' : kind, slot }
}

const TIMES = new Set(['datetime', 'date', 'time'])

/**
 * Returns the parser for an operand with the filter of another scalar, which is a text. For a field with dates or times, the text is
 * parsed as such.
 */
function parseTime(field: FieldModel): (value: unknown) => unknown {
  const { named } = field
  const isTime = named.kind === 'scalar' && TIMES.has(scalarOf(named).group)
  return isTime && filterScalar(field) !== undefined ? scalarOf(named).parse : (value) => value
}

function toParameter(operator: Operator, field: FieldModel, target: Target): (value: unknown) => Parameter {
  const parse = parseTime(field)
  const convert = (value: unknown): unknown => (operator.convert === null ? value : operator.convert(value, field))
  switch (operator.operand) {
    case 'field':
      return (value) => toText(parse(convert(value)), field.named, target.type)
    case 'list':
      return (value) => toTexts(field.list ? value : itemsOf(value).map(parse), field.named, target.type)
    case 'int':
      return (value) => toText(value, null, 'int4')
    case 'strings':
      return (value) => toTexts(operator.convert === null ? value : itemsOf(value).map(convert), null, null)
    case 'object':
      return (value) => toJsonText(convert(value))
    case 'json':
      return toJsonText
    default:
      return (value) => toText(convert(value), null, null)
  }
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/**
 * Returns a statement parameter whose value comes from the variables of the request. If the document contains the
 * value, it is converted once.
 * @param place path of the value in the arguments, for errors
 * @param convert converts the value to a parameter; it throws an Error whose message describes the fault
 */
export function valueSlot(
  context: ErrorPlace,
  value: PlanValue,
  place: string,
  convert: (value: unknown) => Parameter,
): Slot {
  const { path, bound } = context
  if (bound === 'access') return accessSlot(path, value, place, convert)
  const at = { path }
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

/** Makes the slot of a value in a condition added by authorize. An invalid value denies access, like a missing one. */
function accessSlot(
  path: readonly string[],
  { read }: PlanValue,
  place: string,
  convert: (value: unknown) => Parameter,
): Slot {
  return {
    read: (input) => {
      const value = read(accessValues(input))
      try {
        return convert(value)
      } catch (cause) {
        throw new SvcError('FORBIDDEN', 'A condition on what you may see compares with a value that does not fit.', {
          path: path.slice(0, 1),
          cause: new Error(`${place}: ${cause instanceof Error ? cause.message : String(cause)}`),
        })
      }
    },
  }
}

/**
 * Returns the values of the conditions that `authorize` hooks declared for a request.
 * @throws Error if the plan has such conditions and the request has none, because its rows must not be read then
 */
export function accessValues({ access }: BindInput): Access['values'] {
  if (access === undefined) throw new Error('The plan has conditions of authorize, and is bound without their values')
  return access.values
}
