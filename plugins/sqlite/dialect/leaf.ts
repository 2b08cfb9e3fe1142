import {
  type EnumType,
  type Leaf,
  type LeafProof,
  literal,
  type ScalarType,
  type SqlFragment,
  type SqlValue,
} from '../../../core/doors/driver.ts'
import { type FieldModel, sql } from '../../../core/doors/plugin.ts'
import { itemText, jsonOf } from './comparable.ts'
import { bytesText, exactText, jsonScalarText } from './forms.ts'
import { orAsItIs } from './json.ts'

/**
 * Writes a SQLite expression for a scalar, an enum or a list of them, in its GraphQL form. Lists and JSON values are
 * wrapped in `json(…)`, so that `json_object` does not quote them.
 */
export function leaf({ name, named, type }: Leaf['field'], value: SqlValue): SqlFragment {
  if (named.kind !== 'scalar' && named.kind !== 'enum') throw new Error(`${name} is no leaf`)
  if (type.kind === 'list') return type.of.kind === 'list' ? sql`json(${jsonOf(value).json})` : listLeaf(named, value)
  if (named.kind === 'enum') return enumName(named, value.from === 'column' ? value.sql : value.text)
  return value.from === 'column' ? columnLeaf(named.base, value.sql, value.type) : documentLeaf(named.base, value)
}

/** Writes the GraphQL form of a scalar, an enum or a list of them in SQLite, as JSON text. */
export function leafText(field: Leaf['field'], value: SqlValue): SqlFragment {
  return sql`json_quote(${leaf(field, value)})`
}

/** Writes the GraphQL form of a scalar or enum in SQLite, as text without quotes; `null`: it is not a plain text. */
export function leafPlain(field: Leaf['field'], value: SqlValue): SqlFragment | null {
  const { named, type } = field
  if (value.from !== 'column' || type.kind === 'list') return null
  const isText = named.kind === 'enum' || (named.kind === 'scalar' && PLAIN.has(named.base))
  return isText ? leaf(field, value) : null
}

function columnLeaf(base: string, value: SqlFragment, type: string | null): SqlFragment {
  switch (base) {
    case 'Int':
      return value
    case 'BigInt':
    case 'Decimal':
      return exactText(value)
    case 'Float':
      return sql`json(svc_number(${value}))`
    case 'Boolean':
      return sql`json(CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE json_quote(${value}) END)`
    case 'JSON':
      return sql`json(${value})`
    case 'UUID':
      return sql`lower(${value})`
    case 'ID':
      return type === 'uuid' ? sql`lower(${value})` : textOf(value, type)
    default:
      return TIMES.has(base) ? heldTime(base, value) : textOf(value, type)
  }
}

function textOf(value: SqlFragment, type: string | null): SqlFragment {
  return type === 'bytea' ? bytesText(value) : exactText(value)
}

/** As in PostgreSQL, a text stays as it is, so that an object in its place is noticed. */
function documentLeaf(base: string, { json, text }: Extract<SqlValue, { from: 'document' }>): SqlFragment {
  if (base === 'Decimal' || base === 'BigInt') return jsonScalarText(json, text)
  return READ_TIMES.has(base) ? heldTime(base, text) : sql`json(${json})`
}

/** Writes a stored time. Another value becomes a form that no time has, and the response refuses it. */
function heldTime(base: string, value: SqlFragment): SqlFragment {
  return sql`svc_held(${literal(base.toLowerCase())}, ${value})`
}

/** Tests whether reading a field from SQLite converts the stored value, which fails for an invalid one. */
export function isReadByCast({ named, read }: Pick<FieldModel, 'named' | 'read'>): boolean {
  if (named.kind !== 'scalar' || read === null || read.from === 'relation') return false
  const { base } = named
  return read.from === 'column' && base === 'JSON'
}

/** Encodes a value outside the enum in a form that no name has, so that the response refuses it. */
function enumName(type: EnumType, value: SqlFragment): SqlFragment {
  const text = sql`CAST(${value} AS TEXT)`
  if (type.values.every((entry) => entry.name === entry.value)) return text
  let cases = sql`CASE ${text}`
  for (const entry of type.values) cases = sql`${cases} WHEN ${literal(entry.value)} THEN ${literal(entry.name)}`
  return sql`${cases} ELSE '?' || ${text} END`
}

/** Lists of these scalars need no conversion. */
const AS_STORED = new Set(['String', 'UUID', 'Time', 'Int', 'Float', 'Boolean', 'JSON'])

function listLeaf(named: ScalarType | EnumType, value: SqlValue): SqlFragment {
  const { json } = jsonOf(value)
  if (named.kind === 'scalar' && AS_STORED.has(named.base)) return sql`json(${json})`
  const item =
    named.kind === 'enum'
      ? enumName(named, sql`e$.value`)
      : READ_TIMES.has(named.base)
        ? heldTime(named.base, sql`e$.value`)
        : itemText(json)
  const items = sql`SELECT json_group_array(${item}) FROM json_each(${json}) e$`
  return sql`json(${orAsItIs(json, 'array', sql`(${items})`)})`
}

/** Scalars whose leaf is a text, regardless of the storage class. */
const PLAIN = new Set(['ID', 'String', 'UUID', 'Decimal', 'BigInt', 'DateTime', 'Date', 'Time'])
const TEXTS = new Set(['ID', 'String', 'UUID', 'JSON'])
/** Scalars whose texts are converted when they are read from a document. */
const READ_TIMES = new Set(['DateTime', 'Date'])
/** Scalars whose texts are converted when they are read from a column. */
const TIMES = new Set([...READ_TIMES, 'Time'])

/**
 * Returns what the SQL expression of a scalar guarantees about its form. The type of a SQLite column guarantees
 * nothing, because a column accepts any value.
 */
export function proof({ named, type }: Leaf['field'], value: SqlValue): LeafProof {
  if (named.kind !== 'scalar') return named.kind === 'enum' ? 'none' : 'proven'
  const { base } = named
  if (base === 'JSON') return 'proven'
  if (type.kind === 'list') return 'none'
  return value.from === 'column' && TEXTS.has(base) ? 'proven' : 'none'
}
