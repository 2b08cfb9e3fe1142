import { cast, type SqlFragment, sql } from '../../../sql/fragment.ts'

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

/** A column of a packed row: its SQL, and how it is written. */
export interface PackedField {
  /** The value in the subquery. */
  readonly value: SqlFragment
  /** The value as an argument of `concat_ws`, which leaves NULL out: never NULL, as far as is known. */
  readonly argument: (column: SqlFragment) => SqlFragment
  readonly kind: FieldKind
  /** Is it a JSON string? */
  readonly quoted: boolean
  /** An empty text stands for NULL. */
  readonly nullable: boolean
  /** A character stands in front, so that an empty text is not NULL. */
  readonly marked: boolean
  /** The schema forbids null: the database's statement reports it. */
  readonly required: boolean
  /** Of the enum, for the kind `name`. */
  readonly names: ReadonlySet<string> | null
}

interface Wire {
  readonly kind: FieldKind
  readonly quoted: boolean
}

const STRING: Wire = { kind: FIELD_KIND.text, quoted: true }
const PLAIN_STRING: Wire = { kind: FIELD_KIND.plain, quoted: true }
const INTEGER: Wire = { kind: FIELD_KIND.plain, quoted: false }
const NUMBER: Wire = { kind: FIELD_KIND.number, quoted: false }
const JSON_TEXT: Wire = { kind: FIELD_KIND.plain, quoted: false }

/** The types whose text is turned into JSON here; all others are left to the database. */
const WIRES: ReadonlyMap<string, Wire> = new Map([
  ['text', STRING],
  ['varchar', STRING],
  ['name', STRING],
  ['citext', STRING],
  ['uuid', PLAIN_STRING],
  ['time', PLAIN_STRING],
  ['int2', INTEGER],
  ['int4', INTEGER],
  ['int8', INTEGER],
  ['numeric', NUMBER],
  ['float4', NUMBER],
  ['float8', NUMBER],
  ['bool', { kind: FIELD_KIND.boolean, quoted: false }],
  ['timestamptz', { kind: FIELD_KIND.instant, quoted: true }],
  ['timestamp', { kind: FIELD_KIND.timestamp, quoted: true }],
  ['date', { kind: FIELD_KIND.date, quoted: true }],
  ['json', JSON_TEXT],
  ['jsonb', JSON_TEXT],
])

/**
 * @param type name of the value's type in the catalog
 * @returns `null` = a type whose text is not known here
 */
export function packedField(
  value: SqlFragment,
  type: string | null,
  options: { readonly notNull: boolean; readonly required: boolean },
): PackedField | null {
  const wire = type === null ? undefined : WIRES.get(type)
  if (wire === undefined) return null
  const { notNull, required } = options
  const kind = wire === JSON_TEXT && required ? FIELD_KIND.someJson : wire.kind
  const { quoted } = wire
  if (notNull) return { value, argument: same, kind, quoted, nullable: false, marked: false, required, names: null }
  const marked = wire === STRING
  return {
    value,
    argument: marked ? markText : emptyForNull,
    kind,
    quoted,
    nullable: true,
    marked,
    required,
    names: null,
  }
}

const same = (column: SqlFragment): SqlFragment => column
const emptyForNull = (column: SqlFragment): SqlFragment => sql`coalesce(${cast(column, 'text')}, '')`
const markText = (column: SqlFragment): SqlFragment => sql`coalesce('.' || ${cast(column, 'text')}, '')`
