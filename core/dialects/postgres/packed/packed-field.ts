import { FIELD_KIND, type FieldForm, type FieldKind } from '../../../engine/json/row-writer.ts'
import { type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import { cast } from '../primitives/types.ts'

/** A column of a packed row: its SQL, and the format in which it is written. */
export interface PackedField extends FieldForm {
  /** The value in the subquery. */
  readonly value: SqlFragment
  /** The value as an argument of `concat_ws`. It must not be NULL, because `concat_ws` omits NULLs. */
  readonly argument: (column: SqlFragment) => SqlFragment
  /** Is the value a JSON string? */
  readonly quoted: boolean
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

/** Types whose text this process converts to JSON. The database converts all others. */
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

/** @param type name of the value's type in the catalog @returns `null` = a type whose text this process cannot convert */
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
