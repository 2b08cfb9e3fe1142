import type { Leaf, Shape } from '../../../contract/plan/read-plan.ts'
import { literal } from '../../../engine/json/copy-field.ts'
import {
  FIELD_KIND,
  type FieldForm,
  type FieldKind,
  type FieldWriter,
  type RowWriter,
} from '../../../engine/json/row-writer.ts'
import { identifier, join, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { SqlValue } from '../../sql-value.ts'
import { type Emission, sqlValueOf } from '../../walker/emission.ts'
import { wireColumn } from '../primitives/leaf.ts'
import { proofOf } from '../primitives/leaf-proof.ts'
import { cast } from '../primitives/types.ts'

/**
 * A column of a packed row (the database joins the texts of all its columns into one text), and how svc converts the
 * text of the column to JSON.
 */
export interface PackedField extends FieldForm {
  /** SQL of the column's value, in the subquery {@link ROWS}. */
  readonly value: SqlFragment
  /**
   * Writes the column as an argument of `concat_ws`, which joins the fields. It converts NULL to a text, because
   * `concat_ws` omits NULLs.
   */
  readonly argument: (column: SqlFragment) => SqlFragment
  /** `true` if the JSON of the value is a string, which svc writes in quotes. */
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

/**
 * Returns how svc converts a column to JSON, by its type.
 * @param type name of the column's type in the catalog; `null`: unknown
 * @param options `notNull`: the column is never NULL; `required`: the GraphQL field is non-null
 * @returns `null`: svc cannot convert the text of this type, so the database must
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

/**
 * SQL of the character between the fields of packed rows, U+0001. JSON never contains it. A text value that contains it
 * is detected, because the number of fields is then wrong.
 */
export const SQL_SEPARATOR = sql`E'\\x01'`

/** Limit of fields, below PostgreSQL's limit of a hundred arguments for `concat_ws`. */
const MOST_FIELDS = 90

/** A part of a JSON object that svc writes: literal JSON text, or a field whose value comes from the database. */
export type PackedPart = string | PackedField

/**
 * How svc writes rows of one selection as JSON: the columns that the database returns, and the literal text around
 * their values. The database joins the fields of all rows into one text, which takes it less than half the time of
 * building JSON.
 */
export interface RowTemplate extends RowWriter {
  /** Select list of the subquery {@link ROWS}, which reads the rows. */
  readonly columns: SqlFragment
  /** SQL over the subquery {@link ROWS} that joins the fields of one row into a text. */
  readonly fields: SqlFragment
}

/**
 * Alias of the subquery that reads the rows before their columns are joined into one text. Each row has one column per
 * field.
 */
export const ROWS = sql`p$`

/**
 * Makes the template for rows from the parts of their JSON object, in order. @returns `null`: there are no fields, or
 * more than 90
 */
export function rowTemplate(parts: readonly PackedPart[]): RowTemplate | null {
  const columns: SqlFragment[] = []
  const fields: SqlFragment[] = []
  const writers: FieldWriter[] = []
  let overhead = 0
  let before = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      before += part
      continue
    }
    const { kind, quoted, nullable, marked, required, names } = part
    const name = identifier(`c${columns.length + 1}`)
    columns.push(sql`${part.value} AS ${name}`)
    fields.push(part.argument(sql`${ROWS}.${name}`))
    const quotes = quoted && !nullable ? '"' : ''
    writers.push({
      before: literal(before + quotes),
      kind,
      quoted: quoted && nullable,
      nullable,
      marked,
      required,
      names,
    })
    overhead += before.length + 8
    before = quotes
  }
  if (columns.length === 0 || columns.length > MOST_FIELDS) return null
  const joined = sql`concat_ws(${SQL_SEPARATOR}, ${join(fields, ', ')})`
  return { columns: join(columns, ', '), fields: joined, writers, last: literal(before), overhead }
}

/** Adds a check to a field whose type the catalog does not prove. @returns `null`: this process cannot check such a value */
function checkedField(field: PackedField, model: Leaf['field'], value: SqlValue): PackedField | null {
  const proof = proofOf(model, value)
  const { named } = model
  if (proof === 'proven') return field
  if (named.kind === 'enum') return { ...field, kind: FIELD_KIND.name, names: new Set(named.values.map((v) => v.name)) }
  if (named.kind !== 'scalar' || value.from !== 'column') return null
  if (named.base === 'Int' && value.type === 'int8') return { ...field, kind: FIELD_KIND.int32 }
  if (proof !== 'finite') return null
  return field.kind === FIELD_KIND.number ? field : { ...field, kind: FIELD_KIND.decimal }
}

/**
 * Returns the parts of a JSON object that svc can write itself: all members are scalars, enums or lists of native
 * columns, without masks or conversion functions of custom scalars. `null`: the database must write it.
 */
export function objectParts(emission: Emission, shape: Shape): readonly PackedPart[] | null {
  if (shape.kind !== 'object') return null
  const parts: PackedPart[] = []
  let known = '{'
  for (const [index, { key, value: member }] of shape.members.entries()) {
    known += `${index === 0 ? '' : ','}${JSON.stringify(key)}:`
    if (member.kind === 'typename') {
      known += JSON.stringify(member.name)
      continue
    }
    if (member.kind === 'denied') {
      known += 'null'
      continue
    }
    // This process masks values only after the database has written their JSON.
    if (member.kind !== 'leaf' || member.masked === true) return null
    const { named, type } = member.field
    if (named.kind === 'scalar' && named.codec?.serialize !== undefined) return null
    const value = sqlValueOf(emission, member.value)
    const column = wireColumn(member.field, value)
    if (column === null) return null
    const packed = packedField(column.sql, column.type, { notNull: column.notNull, required: !type.nullable })
    const checked = packed === null ? null : checkedField(packed, member.field, value)
    if (checked === null) return null
    parts.push(known, checked)
    known = ''
  }
  parts.push(`${known}}`)
  return parts
}
