import { dayEnd, daysAt } from './calendar.ts'
import { type Encoded, nullsOf, type Values } from './encoded.ts'

/** Encodes dates as days since 1970-01-01. @throws RangeError */
export function encodeDays(values: Values): Encoded {
  const data = new Int32Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const text = values[i]
    if (text !== null && text !== undefined) data[i] = daysAt(text, dayEnd(text))
  }
  return { ...nullsOf(values), data }
}
