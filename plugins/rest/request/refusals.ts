import { didYouMean, listNames, SvcError } from '../../../core/doors/plugin.ts'

/** The request as such cannot be read: 400. */
export function badRequest(message: string, details?: Readonly<Record<string, unknown>>): SvcError {
  return new SvcError('BAD_REQUEST', message, { details })
}

/** A paging parameter, a cursor, a value in the path that is none: 400. */
export function badInput(message: string, parameter: string): SvcError {
  return new SvcError('BAD_USER_INPUT', message, { details: { parameter } })
}

/** A `null` inside a filter: 400, as in GraphQL. */
export function nullInFilter(place: string): SvcError {
  return badInput(`${place}: null is no condition. Use _is_null to look for nulls, or leave the member out.`, 'filter')
}

/** @param available those that there are, which the client is told */
export function unknownParameter(parameter: string, available: readonly string[], what = 'parameter'): SvcError {
  const hint = didYouMean(parameter, available)
  return new SvcError(
    'UNKNOWN_PARAMETER',
    `There is no ${what} "${parameter}".${hint} Available: ${listNames(available, 40)}.`,
    { details: { parameter, available } },
  )
}

export function unknownOperator(field: string, operator: string, available: readonly string[]): SvcError {
  const hint = didYouMean(operator, available)
  return new SvcError(
    'UNKNOWN_OPERATOR',
    `"${field}" has no operator "${operator}".${hint} Available: ${listNames(available, 40)}.`,
    { details: { field, operator, available } },
  )
}

/** More than a client can use, and less than a large answer. */
export const MOST_PROBLEMS = 100

export interface FieldProblem {
  /** Of a body that is a list: the row that it is in. */
  readonly index?: number
  readonly field: string
  readonly reason: string
  /** Of a rule of the schema: the place in the body, and which rule it is. */
  readonly path?: readonly (string | number)[]
  readonly context?: unknown
}

/** Values that are not what their fields hold: 422, with the first row that has any. */
export function invalidFields(fields: readonly FieldProblem[], status = 422): SvcError {
  const message = fields.map(({ index, field, reason }) => `${rowName(index)}${field}: ${reason}`).join('; ')
  const index = fields[0]?.index
  const details = index === undefined ? { fields } : { index, fields }
  return new SvcError('VALIDATION_ERROR', message, { details, status })
}

const rowName = (index: number | undefined): string => (index === undefined ? '' : `[${index}].`)

/** More than a limit allows: 400. */
export function overLimit(message: string): SvcError {
  return new SvcError('VALIDATION_ERROR', message)
}
