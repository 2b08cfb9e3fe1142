import type { Parameter } from '../../contract/statement.ts'

/** PostgreSQL's text form of an array: every element quoted, so that none is read as syntax. */
export function encodeTextArray(values: readonly (string | null)[]): string {
  let text = '{'
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (i > 0) text += ','
    text += value === null ? 'NULL' : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  }
  return `${text}}`
}

/** The protocol counts them in sixteen bits. */
const MOST_PARAMETERS = 65_535

/**
 * The parameters as the wire wants them: texts and nulls. The same array when it has no lists in it.
 * @throws TypeError for anything that is neither text, list nor null, and for more than the protocol counts: it must never
 * reach a half-written message
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
