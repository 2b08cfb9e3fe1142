import type { Parameter } from '../../contract/statement.ts'

/**
 * Encodes an array parameter in PostgreSQL's text format: `{"a",NULL}`. It quotes every element, so that none is parsed
 * as syntax.
 */
export function encodeTextArray(values: readonly (string | null)[]): string {
  let text = '{'
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (i > 0) text += ','
    text += value === null ? 'NULL' : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  }
  return `${text}}`
}

/** Limit of parameters in a statement: the protocol has 16 bits for their number. */
const MOST_PARAMETERS = 65_535

/**
 * Converts the parameters of a statement to the texts and nulls that PostgreSQL's protocol sends. Lists become array
 * texts; without lists, it returns the same array.
 * @throws TypeError for a value that is neither text, list nor null, and for more than 65,535 parameters
 */
export function encodeParameters(parameters: readonly Parameter[]): readonly (string | null)[] {
  if (parameters.length > MOST_PARAMETERS) {
    throw new TypeError(`A statement takes ${MOST_PARAMETERS} parameters at most, not ${parameters.length}.`)
  }
  for (let i = 0; i < parameters.length; i++) {
    const value = parameters[i]
    if (typeof value !== 'string' && value !== null) return parameters.map(encodeParameter)
  }
  return parameters as readonly (string | null)[]
}

function encodeParameter(value: Parameter, index: number): string | null {
  if (value === null || typeof value === 'string') return value
  if (Array.isArray(value)) return encodeTextArray(value)
  throw new TypeError(`Parameter $${index + 1} is a ${typeof value}; drivers take text, lists of text and null`)
}
