import type { Literal } from './copy-field.ts'

/** How the text of a column becomes JSON. */
export const FIELD_KIND = {
  /** As it is. */
  plain: 0,
  /** With JSON's escapes. */
  text: 1,
  /** As it is. `NaN` and `Infinity` are no numbers, and refused. */
  number: 2,
  boolean: 3,
  instant: 4,
  timestamp: 5,
  date: 6,
  base64: 7,
  /** Not written. */
  unseen: 8,
  /** As it is, unless it is a JSON null. */
  someJson: 9,
  /** As it is, where it is an integer of 32 bits. */
  int32: 10,
  /** The text of a number, in quotes: `NaN` and `Infinity` are refused. */
  decimal: 11,
  /** As it is, where it is one of the names. */
  name: 12,
} as const

export type FieldKind = (typeof FIELD_KIND)[keyof typeof FIELD_KIND]

/** How a field is written. */
export interface FieldForm {
  readonly kind: FieldKind
  /** An empty text stands for NULL. */
  readonly nullable: boolean
  /** A character stands in front, so that an empty text is not NULL. */
  readonly marked: boolean
  /** The schema forbids null: the database's statement reports it. */
  readonly required: boolean
  /** Names of the enum, for the kind `name`. */
  readonly names: ReadonlySet<string> | null
}

export interface FieldWriter extends FieldForm {
  /** Literal JSON in front, the opening quote included where there is always one. */
  readonly before: Literal
  /** Quotes that depend on whether it is NULL. */
  readonly quoted: boolean
}

/** What is written around the fields of a row. */
export interface RowWriter {
  readonly writers: readonly FieldWriter[]
  /** What follows the last field. */
  readonly last: Literal
  /** Bytes that a row has besides its fields, about. */
  readonly overhead: number
}
