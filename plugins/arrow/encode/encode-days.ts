import { dayEnd, daysAt } from './calendar.ts'
import { type Encoded, nullsOf, type Values } from './encoded.ts'

/**
 * Encodes date texts as 32-bit days since 1970-01-01, for the Arrow type Date.
 * @throws RangeError for an invalid date
 */
export function encodeDays(values: Values): Encoded {
  const data = new Int32Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const text = values[i]
    if (text !== null && text !== undefined) data[i] = daysAt(text, dayEnd(text))
  }
  return { ...nullsOf(values), data }
}
