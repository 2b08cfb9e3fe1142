import { type Encoded, nullsOf, type Values } from './encoded.ts'
import { WideIntegers } from './wide-integers.ts'

/**
 * Encodes integer texts with 64 bits, for the Arrow type Int64.
 * @throws RangeError for an invalid or too large number
 */
export function encodeInt64(values: Values): Encoded {
  const integers = new WideIntegers(values.length, 2)
  for (let i = 0; i < values.length; i++) {
    const text = values[i]
    if (text !== null && text !== undefined) integers.setDecimal(i, text, 0)
  }
  return { ...nullsOf(values), data: new BigInt64Array(integers.words.buffer) }
}
