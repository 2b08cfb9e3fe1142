/** The buffers of a column, as `makeData` of Apache Arrow takes them (Arrow columnar format, "Physical Memory Layout"). */
export interface Encoded {
  readonly nullCount: number
  /** A bit for each value that is none of null, the lowest first; absent: there is no null. */
  readonly nullBitmap?: Uint8Array
  readonly data: Uint8Array | Int32Array | BigInt64Array | Float64Array | Uint32Array
  /** Of texts: where each begins, and where the last one ends. */
  readonly valueOffsets?: Int32Array
}

export type Values = readonly (string | null)[]

/** Which values are null. */
export function nullsOf(values: Values): Pick<Encoded, 'nullCount' | 'nullBitmap'> {
  let nullCount = 0
  for (const value of values) if (value === null) nullCount++
  if (nullCount === 0) return { nullCount }
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8))
  for (let i = 0; i < values.length; i++) if (values[i] !== null) nullBitmap[i >> 3]! |= 1 << (i & 7)
  return { nullCount, nullBitmap }
}
