/**
 * The encoded buffers of a column in one record batch, in the format that `makeData` of Apache Arrow accepts (Arrow
 * columnar format, "Physical Memory Layout").
 */
export interface Encoded {
  readonly nullCount: number
  /** Validity bitmap: bit 1 for a value, bit 0 for NULL, least significant bit first. Absent: no NULL. */
  readonly nullBitmap?: Uint8Array
  readonly data: Uint8Array | Int32Array | BigInt64Array | Float64Array | Uint32Array
  /** Byte offset of each string in `data`, then the end of the last string. Only for strings. */
  readonly valueOffsets?: Int32Array
}

export type Values = readonly (string | null)[]

/**
 * Counts the NULLs among the values of a column and returns Arrow's validity bitmap. Without NULLs there is no bitmap.
 */
export function nullsOf(values: Values): Pick<Encoded, 'nullCount' | 'nullBitmap'> {
  let nullCount = 0
  for (const value of values) if (value === null) nullCount++
  if (nullCount === 0) return { nullCount }
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8))
  for (let i = 0; i < values.length; i++) if (values[i] !== null) nullBitmap[i >> 3]! |= 1 << (i & 7)
  return { nullCount, nullBitmap }
}
