/**
 * The buffers of a column, in the format that `makeData` of Apache Arrow accepts (Arrow columnar format, "Physical
 * Memory Layout").
 */
export interface Encoded {
  readonly nullCount: number
  /** Validity bitmap, least significant bit first; absent: no nulls. */
  readonly nullBitmap?: Uint8Array
  readonly data: Uint8Array | Int32Array | BigInt64Array | Float64Array | Uint32Array
  /** Offsets of the strings, and the end of the last string. */
  readonly valueOffsets?: Int32Array
}

export type Values = readonly (string | null)[]

/** Returns the number and bitmap of nulls. */
export function nullsOf(values: Values): Pick<Encoded, 'nullCount' | 'nullBitmap'> {
  let nullCount = 0
  for (const value of values) if (value === null) nullCount++
  if (nullCount === 0) return { nullCount }
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8))
  for (let i = 0; i < values.length; i++) if (values[i] !== null) nullBitmap[i >> 3]! |= 1 << (i & 7)
  return { nullCount, nullBitmap }
}
