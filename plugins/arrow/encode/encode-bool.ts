import { type Encoded, nullsOf, type Values } from './encoded.ts'

/** Encodes the texts `true` and `false` as a bitmap, for the Arrow type Bool. @throws RangeError for another text */
export function encodeBool(values: Values): Encoded {
  const data = new Uint8Array(Math.ceil(values.length / 8))
  for (let i = 0; i < values.length; i++) {
    const text = values[i]
    if (text === 'true') data[i >> 3]! |= 1 << (i & 7)
    else if (text !== 'false' && text !== null) throw new RangeError('is neither true nor false')
  }
  return { ...nullsOf(values), data }
}
