import type { Literal } from './copy-field.ts'

/** The ways in which svc converts the text of a field, as the database returns it, to JSON. */
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

/**
 * How the text of a field represents its value, in a result where the database joins the fields of rows into one text,
 * and how svc converts that text to JSON.
 */
export interface FieldForm {
  readonly kind: FieldKind
  /** `true`: the value may be NULL, which an empty text represents. */
  readonly nullable: boolean
  /** `true`: a text that is not NULL starts with an extra character, so that an empty string differs from NULL. */
  readonly marked: boolean
  /**
   * `true`: the GraphQL field is non-null. For a NULL, svc runs the statement in which the database writes the JSON, to
   * report the error.
   */
  readonly required: boolean
  /** Names of the enum's values, for the kind `name`; `null` for other kinds. */
  readonly names: ReadonlySet<string> | null
}

export interface FieldWriter extends FieldForm {
  /** Constant JSON before the field, including the opening quote if the field always has one. */
  readonly before: Literal
  /** `true`: svc writes quotes around the value unless it is NULL. */
  readonly quoted: boolean
}

/**
 * How svc writes a row as JSON from the texts of its fields: the conversion of each field, and the constant text around
 * the fields.
 */
export interface RowWriter {
  readonly writers: readonly FieldWriter[]
  /** Constant JSON after the last field. */
  readonly last: Literal
  /** Estimated number of bytes of a row without its fields. */
  readonly overhead: number
}
