import { type Encoded, nullsOf, type Values } from './encoded.ts'

/**
 * Encodes integer texts with 32 bits, for the Arrow type Int32.
 * @throws RangeError for an invalid or too large number
 */
export function encodeInt32(values: Values): Encoded {
  const data = new Int32Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const text = values[i]
    if (text === null || text === undefined) continue
    const number = Number(text)
    if ((number | 0) !== number) throw new RangeError('is no integer of 32 bits')
    data[i] = number
  }
  return { ...nullsOf(values), data }
}
