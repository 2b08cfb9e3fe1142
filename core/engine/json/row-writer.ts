import type { Literal } from './copy-field.ts'

/** Conversions of a column's text to JSON. */
export const FIELD_KIND = {
  /** Copied unchanged. */
  plain: 0,
  /** Copied with JSON's escapes. */
  text: 1,
  /** Copied unchanged. `NaN` and `Infinity` are no JSON numbers, and rejected. */
  number: 2,
  boolean: 3,
  instant: 4,
  timestamp: 5,
  date: 6,
  base64: 7,
  /** Omitted. */
  unseen: 8,
  /** Copied unchanged; a JSON null is rejected. */
  someJson: 9,
  /** Copied unchanged; a number that is no 32-bit integer is rejected. */
  int32: 10,
  /** The text of a number, in quotes; `NaN` and `Infinity` are rejected. */
  decimal: 11,
  /** Copied unchanged; a text that is not among the names is rejected. */
  name: 12,
} as const

export type FieldKind = (typeof FIELD_KIND)[keyof typeof FIELD_KIND]

/** Format of a field in a packed row. */
export interface FieldForm {
  readonly kind: FieldKind
  /** `true`: an empty text represents NULL. */
  readonly nullable: boolean
  /** `true`: the text starts with an extra character, so that an empty text differs from NULL. */
  readonly marked: boolean
  /** `true`: the field is non-null. A NULL is then reported as an error by the fallback statement. */
  readonly required: boolean
  /** Names of the enum, for the kind `name`. */
  readonly names: ReadonlySet<string> | null
}

export interface FieldWriter extends FieldForm {
  /** Literal JSON before the field, including the opening quote if the field always has one. */
  readonly before: Literal
  /** `true`: the value is quoted unless it is NULL. */
  readonly quoted: boolean
}

/** Writers for the fields of a row, with the literal JSON around the fields. */
export interface RowWriter {
  readonly writers: readonly FieldWriter[]
  /** Literal JSON after the last field. */
  readonly last: Literal
  /** Estimated bytes of a row in addition to its fields. */
  readonly overhead: number
}
