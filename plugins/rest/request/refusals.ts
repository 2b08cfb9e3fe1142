import { didYouMean, listNames, SvcError } from '../../../core/doors/plugin.ts'

/** Creates the REST error BAD_REQUEST (status 400), for a request that cannot be read. */
export function badRequest(message: string, details?: Readonly<Record<string, unknown>>): SvcError {
  return new SvcError('BAD_REQUEST', message, { details })
}

/** Creates the REST error BAD_USER_INPUT (status 400), for an invalid paging parameter, cursor or value in the path. */
export function badInput(message: string, parameter: string): SvcError {
  return new SvcError('BAD_USER_INPUT', message, { details: { parameter } })
}

/** Creates the REST error BAD_USER_INPUT (status 400), for null in a filter. @param place path of the value */
export function nullInFilter(place: string): SvcError {
  return badInput(`${place}: null is no condition. Use _is_null to look for nulls, or leave the member out.`, 'filter')
}

/**
 * Creates the REST error for an unknown query parameter or field name, with a suggestion.
 * @param parameter the unknown name
 * @param available valid names
 * @param what kind of name, for the message
 */
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

/** Maximum number of invalid fields that one REST error lists. */
export const MOST_PROBLEMS = 100

export interface FieldProblem {
  /** Index of the row, if the body is a list. */
  readonly index?: number
  readonly field: string
  readonly reason: string
  /** Path to the invalid value in the body. Only for violated input rules of the schema. */
  readonly path?: readonly (string | number)[]
  readonly context?: unknown
}

/**
 * Creates the REST error VALIDATION_ERROR for invalid field values.
 * @param fields the problems; the error names the row index of the first
 * @param status HTTP status
 */
export function invalidFields(fields: readonly FieldProblem[], status = 422): SvcError {
  const message = fields.map(({ index, field, reason }) => `${rowName(index)}${field}: ${reason}`).join('; ')
  const index = fields[0]?.index
  const details = index === undefined ? { fields } : { index, fields }
  return new SvcError('VALIDATION_ERROR', message, { details, status })
}

const rowName = (index: number | undefined): string => (index === undefined ? '' : `[${index}].`)

/** Creates the REST error VALIDATION_ERROR (status 400) for a request that exceeds a limit. */
export function overLimit(message: string): SvcError {
  return new SvcError('VALIDATION_ERROR', message)
}
