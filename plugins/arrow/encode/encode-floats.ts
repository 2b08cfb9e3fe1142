import { type Encoded, nullsOf, type Values } from './encoded.ts'

/** Encodes number texts as 64-bit floats, for the Arrow type Float64. @throws RangeError for an invalid number */
export function encodeFloats(values: Values): Encoded {
  const data = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const text = values[i]
    if (text === null || text === undefined) continue
    const number = Number(text)
    if (Number.isNaN(number) && text !== 'NaN') throw new RangeError('is no number')
    data[i] = number
  }
  return { ...nullsOf(values), data }
}
