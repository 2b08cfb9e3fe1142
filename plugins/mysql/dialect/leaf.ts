import {
  EMPTY,
  type EnumType,
  type Leaf,
  type LeafProof,
  literal,
  type ScalarType,
  type SqlFragment,
  type SqlValue,
} from '../../../core/doors/driver.ts'
import { type FieldModel, sql } from '../../../core/doors/plugin.ts'
import { jsonOf } from './comparable.ts'
import type { Flavour } from './flavour.ts'
import { bytesText, momentJson, momentOf, textOf, timeJson, uuidText } from './forms.ts'
import { itemRows, listOf, orAsItIs, orNull, scalarText } from './json.ts'
import { kindOfType, NUMBERS, WRITTEN } from './kind.ts'
import { shownForm } from './shown-form.ts'

/**
 * Returns SQL that converts a scalar, an enum or a list of these to JSON text, as the GraphQL field shows it. The text of
 * NULL is NULL.
 */
export function leaf(flavour: Flavour, { name, named, type }: Leaf['field'], value: SqlValue): SqlFragment {
  if (named.kind !== 'scalar' && named.kind !== 'enum') throw new Error(`${name} is no leaf`)
  if (type.kind === 'list')
    return type.of.kind === 'list' ? jsonOf(flavour, value).json : listLeaf(flavour, named, value)
  if (named.kind === 'enum')
    return enumJson(named, value.from === 'column' ? textOf(value.sql) : value.text, flavour.exact)
  return value.from === 'column'
    ? columnLeaf(flavour, named.base, value.sql, value.type)
    : documentLeaf(flavour, named.base, value)
}

function quoted(text: SqlFragment): SqlFragment {
  return sql`JSON_QUOTE(${text})`
}

/** A text without characters that JSON escapes. */
function inQuotes(text: SqlFragment): SqlFragment {
  return sql`CONCAT('"', ${text}, '"')`
}

function columnLeaf(flavour: Flavour, base: string, column: SqlFragment, type: string | null): SqlFragment {
  const kind = kindOfType(type)
  const isNumber = NUMBERS.has(kind)
  const { jsonText } = flavour
  switch (base) {
    case 'Int':
    case 'Float':
      if (type === 'float4') return exactFloat(column)
      if (type === WRITTEN) return writtenNumber(column)
      return isNumber ? column : quoted(textOf(column))
    case 'BigInt':
    case 'Decimal':
      if (type === 'average') return inQuotes(withoutZeros(column))
      return isNumber ? inQuotes(column) : quoted(textOf(column))
    case 'Boolean':
      if (!isNumber && kind !== 'boolean')
        return sql`CASE ${textOf(column)} WHEN '1' THEN 'true' WHEN '0' THEN 'false' ELSE ${quoted(textOf(column))} END`
      return sql`CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE ${quoted(textOf(sql`${column} + 0`))} END`
    case 'JSON':
      return kind === 'json'
        ? jsonText(column)
        : sql`CASE WHEN JSON_VALID(${column}) THEN ${jsonText(column)} ELSE CONCAT('?', ${jsonText(column)}) END`
    case 'UUID':
      if (kind === 'bytes') return inQuotes(uuidText(column))
      return quoted(sql`LOWER(${column})`)
    case 'ID':
      if (kind === 'uuid') return quoted(sql`LOWER(${column})`)
      return isNumber ? inQuotes(column) : textJson(column, type)
    case 'DateTime':
      return kind === 'datetime' || kind === 'date' ? momentJson(column) : heldTime(flavour, base, textOf(column))!
    case 'Date':
      if (kind === 'date') return inQuotes(column)
      return kind === 'datetime' ? inQuotes(sql`CAST(${column} AS DATE)`) : heldTime(flavour, base, textOf(column))!
    case 'Time':
      return kind === 'time' ? timeJson(column) : heldTime(flavour, base, textOf(column))!
    default:
      return textJson(column, type)
  }
}

/** The digits of an average, whose number behind the point says nothing. */
function withoutZeros(column: SqlFragment): SqlFragment {
  return sql`TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${column}))`
}

/** The text of a number in a document. Another text becomes a JSON string, and the response refuses it. */
function writtenNumber(text: SqlFragment): SqlFragment {
  return sql`CASE WHEN ${text} REGEXP '^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$' THEN ${text} ELSE ${quoted(text)} END`
}

/** A 32-bit number: the server prints six of its digits, so that others are printed as 64 bits. */
function exactFloat(column: SqlFragment): SqlFragment {
  return sql`CASE WHEN CAST(CONCAT(${column}) AS FLOAT) = ${column} THEN CONCAT(${column}) ELSE CONCAT(CAST(${column} AS DOUBLE)) END`
}

function textJson(column: SqlFragment, type: string | null): SqlFragment {
  const kind = kindOfType(type)
  if (kind === 'bytes') return quoted(bytesText(column))
  return quoted(kind === 'text' && type !== null ? column : textOf(column))
}

/** A text stays as it is, so that an object in its place is noticed. */
function documentLeaf(
  flavour: Flavour,
  base: string,
  { json, text }: Extract<SqlValue, { from: 'document' }>,
): SqlFragment {
  if (base === 'Decimal' || base === 'BigInt') return quoted(scalarText(json))
  return base === 'Time' ? json : (heldTime(flavour, base, text) ?? json)
}

/** A time in a text. Another text becomes a form that no time has, and the response refuses it. `null`: another scalar. */
function heldTime(flavour: Flavour, base: string, text: SqlFragment): SqlFragment | null {
  const held = { json: null, text }
  let json: SqlFragment
  if (base === 'DateTime') json = momentJson(momentOf(text))
  else if (base === 'Date') json = inQuotes(shownForm(flavour, 'date', held, false))
  else if (base === 'Time') json = timeJson(shownForm(flavour, 'time', held, false))
  else return null
  return sql`COALESCE(${json}, ${quoted(sql`CONCAT('?', ${text})`)})`
}

/** Tests whether reading a field converts the stored value, which fails for an invalid one. */
export function isReadByCast({ named, read }: Pick<FieldModel, 'named' | 'read'>): boolean {
  return named.kind === 'scalar' && read?.from === 'column' && named.base === 'JSON'
}

/** Encodes a value outside the enum in a form that no name has, so that the response refuses it. */
function enumJson(type: EnumType, text: SqlFragment, exact: SqlFragment): SqlFragment {
  if (type.values.every((entry) => entry.name === entry.value)) return quoted(text)
  let cases = sql`CASE ${text} COLLATE ${exact}`
  for (const entry of type.values) cases = sql`${cases} WHEN ${literal(entry.value)} THEN ${literal(`"${entry.name}"`)}`
  return sql`${cases} ELSE ${quoted(sql`CONCAT('?', ${text})`)} END`
}

/** Lists of these scalars need no conversion. */
const AS_STORED = new Set(['String', 'UUID', 'Time', 'Int', 'Float', 'Boolean', 'JSON'])

function listLeaf(flavour: Flavour, named: ScalarType | EnumType, value: SqlValue): SqlFragment {
  const { json } = jsonOf(flavour, value)
  if (named.kind === 'scalar' && AS_STORED.has(named.base)) return json
  const text = sql`e$.v`
  const item =
    named.kind === 'enum' ? enumJson(named, text, flavour.exact) : (heldTime(flavour, named.base, text) ?? quoted(text))
  const list = listOf(orNull(sql`CASE WHEN ${text} IS NOT NULL THEN ${item} END`), sql` ORDER BY e$.n`)
  return orAsItIs(json, 'array', sql`(SELECT ${list} FROM ${itemRows(json, sql`e$`)}${EMPTY})`)
}

/** Scalars whose column is a text without the quotes of JSON. */
const PLAIN = new Set(['ID', 'String', 'Decimal', 'BigInt'])

/** Writes the GraphQL form of a scalar or enum as text without quotes; `null`: it is not a plain text. */
export function leafPlain({ named, type }: Leaf['field'], value: SqlValue): SqlFragment | null {
  if (value.from !== 'column' || type.kind === 'list' || named.kind !== 'scalar' || !PLAIN.has(named.base)) return null
  const kind = kindOfType(value.type)
  if (kind === 'bytes') return bytesText(value.sql)
  return kind === 'uuid' ? sql`LOWER(${value.sql})` : textOf(value.sql)
}

/** Columns of days may hold 0000-00-00, and those of times 838:59:59. */
const PROVEN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  Int: ['int2', 'int4'],
  BigInt: ['int2', 'int4', 'int8'],
  Decimal: ['int2', 'int4', 'int8', 'numeric', 'average'],
  Float: ['int2', 'int4', 'int8', 'numeric', 'float4', 'float8'],
  JSON: ['json'],
}
const TEXTS = new Set(['ID', 'String'])

/** Returns what the SQL of a scalar guarantees about its form. */
export function proof({ named, type }: Leaf['field'], value: SqlValue): LeafProof {
  if (named.kind !== 'scalar') return named.kind === 'enum' ? 'none' : 'proven'
  const { base } = named
  if (type.kind === 'list' || value.from !== 'column')
    return base === 'JSON' && type.kind !== 'list' && value.from === 'document' ? 'proven' : 'none'
  if (TEXTS.has(base)) return 'proven'
  return PROVEN_COLUMNS[base]?.includes(value.type ?? '') === true ? 'proven' : 'none'
}
