import { type Encoded, nullsOf, type Values } from './encoded.ts'
import { WideIntegers } from './wide-integers.ts'

/** Numbers of 128 bits, which are the values without their point. @param scale digits behind it @throws RangeError */
export function encodeDecimals(values: Values, scale: number): Encoded {
  const integers = new WideIntegers(values.length, 4)
  for (let i = 0; i < values.length; i++) {
    const text = values[i]
    if (text !== null && text !== undefined) integers.setDigits(i, withoutPoint(text, scale))
  }
  return { ...nullsOf(values), data: new Uint32Array(integers.words.buffer) }
}

function withoutPoint(text: string, scale: number): string {
  const point = text.indexOf('.')
  if (point === -1) return text + '0'.repeat(scale)
  const behind = text.length - point - 1
  if (behind > scale) throw new RangeError(`has ${behind} digits behind its point, where ${scale} may be`)
  return text.slice(0, point) + text.slice(point + 1) + '0'.repeat(scale - behind)
}
