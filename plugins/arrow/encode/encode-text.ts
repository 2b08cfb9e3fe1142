import { type Encoded, nullsOf, type Values } from './encoded.ts'

/** Encodes texts as consecutive UTF-8 with offsets, for the Arrow type Utf8. */
export function encodeText(values: Values): Encoded {
  const text = values.join('')
  const data = Buffer.from(text, 'utf8')
  // In ASCII, each character is a byte.
  const sizeOf =
    data.length === text.length ? (value: string) => value.length : (value: string) => Buffer.byteLength(value)
  const valueOffsets = new Int32Array(values.length + 1)
  let end = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value !== null && value !== undefined) end += sizeOf(value)
    valueOffsets[i + 1] = end
  }
  return { ...nullsOf(values), data, valueOffsets }
}
