import { escapedLiteral as literal, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { EnumType, FieldModel, ScalarType } from '../../../schema/model.ts'
import { isPlace } from '../../../schema/place.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import type { DocumentValue, SqlValue } from '../../sql-value.ts'
import { placeInDocument, placeOnTheWire } from './place.ts'
import { TIME_PATTERNS } from './time-patterns.ts'
import { cast } from './types.ts'

/** Column types that `to_json` writes as a string that svc can send unchanged. Columns of other types are cast to text first. */
const STRINGS = new Set(
  'text varchar bpchar name citext uuid char date time timetz timestamp timestamptz interval money bytea bit varbit inet cidr macaddr macaddr8 xml tsvector tsquery int4range int8range numrange tsrange tstzrange daterange ltree'.split(
    ' ',
  ),
)
const TEXT = new Set(['text', 'varchar', 'bpchar', 'name', 'citext', 'uuid'])

/**
 * Returns the type that a column must be cast to, so that its JSON form is the wire form of the scalar
 * (docs/reference/scalars.md#built-in-scalars). `null`: no cast is needed.
 * @param base name of the built-in scalar
 * @param type catalog type of the column; `null` when unknown
 */
function wireCast(base: string, type: string | null): string | null {
  switch (base) {
    case 'ID':
    case 'String':
    case 'UUID':
      return type !== null && (STRINGS.has(type) || type.startsWith('enum:')) ? null : 'text'
    case 'Decimal':
    case 'BigInt':
      return type !== null && TEXT.has(type) ? null : 'text'
    case 'Float':
      return type === 'numeric' ? 'float8' : null
    case 'DateTime':
      return type === 'timestamptz' ? null : 'timestamptz'
    case 'Date':
      return type === 'date' ? null : 'date'
    case 'Time':
      return type === 'time' ? null : 'time'
    default:
      return null
  }
}

/**
 * Tests whether reading a field casts its column to a type that some stored values may not fit (text to `DateTime`).
 */
export function isReadByCast({ named, read }: Pick<FieldModel, 'named' | 'read'>): boolean {
  if (named.kind !== 'scalar' || read === null || read.from === 'relation') return false
  const { base } = named
  // An unreadable value of a document does not fail: it is marked, and rejected when the answer is completed.
  if (read.from === 'document') return false
  const target = wireCast(base, read.column_type)
  return target !== null && target !== undefined && target !== 'text'
}

/** Scalars whose wire form equals the string in a document. */
const TEXTS = new Set(['ID', 'String', 'UUID', 'Time'])

/** Returns the type that a text from a document must be cast to; `undefined` = the JSON value is used unchanged. */
function documentWireCast(base: string): 'timestamptz' | 'date' | null | undefined {
  switch (base) {
    case 'ID':
    case 'String':
    case 'UUID':
    case 'Decimal':
    case 'BigInt':
    case 'Time':
      return null
    case 'DateTime':
      return 'timestamptz'
    case 'Date':
      return 'date'
    default:
      return undefined
  }
}

/** Writes SQL for a scalar or enum field, or a list of these, whose value as JSON is that of the response. */
export function wireExpression(
  field: Pick<FieldModel, 'name' | 'type' | 'named'> & Partial<Pick<FieldModel, 'place'>>,
  value: SqlValue,
): SqlFragment {
  const { named, type } = field
  if (named.kind !== 'scalar' && named.kind !== 'enum') throw new Error(`${field.name} is no leaf`)
  if (type.kind === 'list') return type.of.kind === 'list' ? rawList(value) : listExpression(named, value)
  if (named.kind === 'enum') return enumExpression(named, value)
  if (value.from === 'column') return scalarColumn(named, value).sql
  if (field.place != null) return placeInDocument(field.place, named, value)
  // Unchanged: a conversion to text would hide an object where a text is required.
  if (TEXTS.has(named.base)) return value.json
  if (isList(named)) return listOfNumbers(value)
  const target = documentWireCast(named.base)
  if (target === undefined) return value.json
  return target === null ? value.text : timeOf(value.text, target)
}

/**
 * Formats the text of a point in time or a day for the wire. Invalid texts get a form that no time has, so that the completion of the
 * answer rejects them.
 */
function timeOf(text: SqlFragment, target: 'timestamptz' | 'date'): SqlFragment {
  return sql`CASE WHEN ${text} ~ ${TIME_PATTERNS[target]} THEN to_json(${cast(text, target)}) #>> '{}' ELSE '?' || ${text} END`
}

/** Tests for scalars whose values are lists of numbers (vectors). */
function isList(named: ScalarType): boolean {
  return named.base === 'JSON' && scalarOf(named).group === 'vector'
}

const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`
const NUMBERS = literal(String.raw`^\[(?:${NUMBER}(?:,${NUMBER})*)?\]$`)

/**
 * Reads a vector from a document. When a function's row is converted to a document, a vector becomes its text, which is itself a JSON
 * list. Other texts stay unchanged.
 */
function listOfNumbers({ json, jsonb, text }: DocumentValue): SqlFragment {
  const list = cast(text, jsonb ? 'jsonb' : 'json')
  return sql`CASE WHEN ${jsonTypeof(json, jsonb)} = 'string' AND ${text} ~ ${NUMBERS} THEN ${list} ELSE ${json} END`
}

type ColumnValue = Extract<SqlValue, { from: 'column' }>

function scalarColumn(
  named: ScalarType,
  value: ColumnValue,
): { readonly sql: SqlFragment; readonly type: string | null } {
  if (value.place !== undefined && isPlace(scalarOf(named))) return placeOnTheWire(value.place, named, value.sql)
  // The text of these types is a JSON list of numbers.
  if (value.type === 'vector' || value.type === 'halfvec')
    return named.base === 'JSON' ? { sql: cast(cast(value.sql, 'text'), 'json'), type: 'json' } : value
  const target = wireCast(named.base, value.type)
  return target === null ? value : { sql: cast(value.sql, target), type: target }
}

/**
 * Does the same as {@link wireExpression} for a single value of a column, and also returns the type of the SQL (`null`:
 * unknown).
 * @returns `null`: the value is a list, or comes from a document
 */
export function wireColumn(
  field: Pick<FieldModel, 'type' | 'named'>,
  value: SqlValue,
): { readonly sql: SqlFragment; readonly type: string | null; readonly notNull: boolean } | null {
  const { named, type } = field
  if (value.from !== 'column' || type.kind === 'list') return null
  if (named.kind === 'enum') {
    return { sql: enumExpression(named, value), type: 'text', notNull: value.notNull }
  }
  if (named.kind !== 'scalar') return null
  const column = scalarColumn(named, value)
  return { sql: column.sql, type: column.type, notNull: value.notNull }
}

/** Types whose text is also their JSON form, with or without quotes. */
const SAME_TEXT = new Set([...TEXT, 'int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'date', 'time'])

/**
 * Writes the text of a field's response value, without the quotes of a JSON string.
 * @returns `null`: the JSON form of the type differs from its text, or the value comes from a document, which may
 * contain any type
 */
export function plainText(field: Pick<FieldModel, 'type' | 'named'>, value: SqlValue): SqlFragment | null {
  const column = wireColumn(field, value)
  if (column === null || column.type === null) return null
  if (column.type === 'bool') return cast(column.sql, 'text')
  // Only the JSON form of these types is ISO 8601.
  if (column.type === 'timestamptz' || column.type === 'timestamp') return sql`(to_json(${column.sql}) #>> '{}')`
  return SAME_TEXT.has(column.type) ? column.sql : null
}

function rawList(value: SqlValue): SqlFragment {
  return value.from === 'column' ? value.sql : value.json
}

function enumExpression(type: EnumType, value: SqlValue): SqlFragment {
  const text = value.from === 'document' ? value.text : TEXT.has(value.type ?? '') ? value.sql : cast(value.sql, 'text')
  return isMapped(type) ? enumName(type, text) : text
}

/** Tests whether wire names and SQL values of an enum differ. */
function isMapped(type: EnumType): boolean {
  return type.values.some(({ name, value }) => name !== value)
}

/**
 * Converts an SQL value to its wire name. Any other value gets a form that no name has, so that the completion of the answer rejects it.
 */
function enumName(type: EnumType, text: SqlFragment): SqlFragment {
  let cases = sql`CASE ${text}`
  for (const { name, value } of type.values) cases = sql`${cases} WHEN ${literal(value)} THEN ${literal(name)}`
  return sql`${cases} ELSE '?' || ${text} END`
}

function listExpression(named: ScalarType | EnumType, value: SqlValue): SqlFragment {
  const mapped = named.kind === 'enum' && isMapped(named) ? named : null
  if (value.from === 'column' && value.type !== 'json' && value.type !== 'jsonb') {
    if (mapped !== null) {
      const names = sql`SELECT ${enumName(mapped, sql`e.v::text`)} FROM unnest(${value.sql}) WITH ORDINALITY e(v, n)`
      // A list in place of an item is no value of the enum, either.
      const none = sql`ARRAY(SELECT '?' FROM generate_subscripts(${value.sql}, 1))`
      return sql`CASE WHEN array_ndims(${value.sql}) > 1 THEN ${none} WHEN ${value.sql} IS NOT NULL THEN ARRAY(${names} ORDER BY e.n) END`
    }
    const element = value.type?.startsWith('_') ? value.type.slice(1) : null
    const target = named.kind === 'scalar' ? wireCast(named.base, element) : null
    return target === null ? value.sql : cast(value.sql, `_${target}`)
  }
  const target = named.kind === 'scalar' ? listDocumentCast(named.base) : undefined
  const { json, jsonb } = jsonOf(value)
  if (mapped === null && target === undefined) return json
  const text = sql`e.v`
  const element = mapped !== null ? enumName(mapped, text) : target == null ? text : timeOf(text, target)
  return orAsItIs(json, jsonb, 'array', arrayOfTexts(json, jsonb, element))
}

/**
 * Writes SQL that applies a conversion only if a JSON value is a list or an object. Any other value stays unchanged, so
 * that the check of the response rejects it.
 * @param made SQL of the converted value
 */
export function orAsItIs(json: SqlFragment, jsonb: boolean, kind: 'array' | 'object', made: SqlFragment): SqlFragment {
  return sql`CASE WHEN ${jsonTypeof(json, jsonb)} = ${literal(kind)} THEN to_json(${made}) ELSE to_json(${json}) END`
}

/** Returns the cast for items of a list in a document. Texts stay unchanged, except for scalars whose items may be stored as numbers. */
function listDocumentCast(base: string): ReturnType<typeof documentWireCast> {
  return base === 'String' || base === 'UUID' || base === 'Time' ? undefined : documentWireCast(base)
}

/** Returns the SQL of a JSON column or of a key of a document. `jsonb: false`: its type is json. */
export function jsonOf(value: SqlValue): { readonly json: SqlFragment; readonly jsonb: boolean } {
  if (value.from === 'document') return { json: value.json, jsonb: value.jsonb }
  return { json: value.sql, jsonb: value.type !== 'json' }
}

/**
 * Converts a JSON array to an SQL array; NULL if the value is not an array.
 * @param element SQL that converts an item, whose text is `e.v`
 */
export function arrayOfTexts(json: SqlFragment, jsonb: boolean, element: SqlFragment): SqlFragment {
  const elements = jsonb ? sql`jsonb_array_elements_text` : sql`json_array_elements_text`
  const rows = sql`SELECT ${element} FROM ${elements}(${json}) WITH ORDINALITY e(v, n) ORDER BY e.n`
  return sql`CASE WHEN ${jsonTypeof(json, jsonb)} = 'array' THEN ARRAY(${rows}) END`
}

export function jsonTypeof(json: SqlFragment, jsonb: boolean): SqlFragment {
  return jsonb ? sql`jsonb_typeof(${json})` : sql`json_typeof(${json})`
}
