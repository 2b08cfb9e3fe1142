import { type Encoded, nullsOf, type Values } from './encoded.ts'
import { WideIntegers } from './wide-integers.ts'

/**
 * Encodes decimal texts as unscaled 128-bit integers, for the Arrow type Decimal.
 * @param scale number of decimal places
 * @throws RangeError for an invalid number, too many decimal places, or too many bits
 */
export function encodeDecimals(values: Values, scale: number): Encoded {
  const integers = new WideIntegers(values.length, 4)
  for (let i = 0; i < values.length; i++) {
    const text = values[i]
    if (text !== null && text !== undefined) integers.setDecimal(i, text, scale)
  }
  return { ...nullsOf(values), data: new Uint32Array(integers.words.buffer) }
}
