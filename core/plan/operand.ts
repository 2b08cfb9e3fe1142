import { arrayOfTexts, jsonOf } from '../dialects/postgres/leaf.ts'
import type { Parameter } from '../front/database.ts'
import type { EnumType, NamedType, ScalarType } from '../schema/model.ts'
import { scalarOf } from '../schema/scalars.ts'
import { cast, type SqlFragment, sql } from '../sql/fragment.ts'
import { writeJson } from '../util/exact-number.ts'
import type { RowValue } from './row.ts'

/** Column types whose name can stand in a cast wherever the server runs. Others are left to inference. */
const BUILTIN = new Set(
  'bool int2 int4 int8 numeric float4 float8 text varchar bpchar name uuid date time timetz timestamp timestamptz interval json jsonb inet cidr macaddr bytea money oid tsvector'.split(
    ' ',
  ),
)
const TEXT = new Set(['text', 'varchar', 'bpchar', 'name'])

/** The left side of a comparison, and what the right side has to be. */
export interface Comparable {
  readonly value: SqlFragment
  readonly text: SqlFragment
  /** Type of `value` for checks; `null` = unknown. */
  readonly type: string | null
  /** Gives a parameter the type of `value`. */
  readonly operand: (slot: SqlFragment) => SqlFragment
  /** Gives an array parameter the type of an array of `value`. */
  readonly list: (slot: SqlFragment) => SqlFragment
}

/**
 * A scalar or enum as a comparable: a native column keeps its own type, a key of a document takes the declared one
 * (decisions "Operands").
 */
export function comparable(named: ScalarType | EnumType, value: RowValue): Comparable {
  if (named.kind === 'enum') return enumComparable(value)
  const scalar = scalarOf(named)
  if (scalar.group === 'json') return jsonComparable(value)
  if (value.from === 'document')
    return typed(documentText(value.text, scalar.documentCast), value.text, scalar.documentCast ?? 'text')
  const text =
    value.type !== null && (TEXT.has(value.type) || value.type === 'citext') ? value.sql : cast(value.sql, 'text')
  if (named.base === 'Date' && value.type?.startsWith('timestamp')) return typed(cast(value.sql, 'date'), text, 'date')
  if (scalar.group === 'datetime' && value.type === 'timestamp') {
    return {
      value: value.sql,
      text,
      type: 'timestamptz',
      operand: (slot) => sql`${slot}::timestamptz::timestamp`,
      list: (slot) => sql`${slot}::timestamptz[]::timestamp[]`,
    }
  }
  if (scalar.group === 'datetime' && value.type === 'date') return { ...typed(value.sql, text, 'timestamptz') }
  return typed(value.sql, text, value.type)
}

function documentText(text: SqlFragment, type: string | null): SqlFragment {
  return type === null ? text : cast(text, type)
}

function typed(value: SqlFragment, text: SqlFragment, type: string | null): Comparable {
  const castable = type !== null && BUILTIN.has(type)
  return {
    value,
    text,
    type,
    operand: (slot) => (castable ? cast(slot, type) : slot),
    list: (slot) => (castable ? cast(slot, `_${type}`) : slot),
  }
}

/** The column may be of an SQL enum: the database infers the parameter from it. */
function enumComparable(value: RowValue): Comparable {
  if (value.from === 'document') return typed(value.text, value.text, 'text')
  return typed(value.sql, cast(value.sql, 'text'), null)
}

function jsonComparable(value: RowValue): Comparable {
  const { json, jsonb } = jsonOf(value)
  const target = jsonb ? json : cast(json, 'jsonb')
  return typed(target, cast(target, 'text'), 'jsonb')
}

/** A list of scalars or enums as an array. `operand` and `list` both take an array parameter. */
export function comparableList(named: ScalarType | EnumType, value: RowValue): Comparable {
  if (value.from === 'column' && value.type !== 'json' && value.type !== 'jsonb') {
    const element = value.type?.startsWith('_') && named.kind === 'scalar' ? value.type.slice(1) : null
    return arrayComparable(value.sql, element)
  }
  const element = named.kind === 'scalar' ? (scalarOf(named).documentCast ?? 'text') : 'text'
  const { json, jsonb } = jsonOf(value)
  return arrayComparable(arrayOfTexts(json, jsonb, element === 'text' ? sql`e.v` : cast(sql`e.v`, element)), element)
}

function arrayComparable(value: SqlFragment, element: string | null): Comparable {
  const array =
    element !== null && BUILTIN.has(element)
      ? element === 'timestamp'
        ? (slot: SqlFragment) => sql`${slot}::timestamptz[]::timestamp[]`
        : (slot: SqlFragment) => cast(slot, `_${element}`)
      : (slot: SqlFragment) => slot
  return { value, text: cast(value, 'text'), type: element, operand: array, list: array }
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
const INTEGER = /^[+-]?\d{1,19}$/
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/i
const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int2: [-32768n, 32767n],
  int4: [-2147483648n, 2147483647n],
  int8: [-9223372036854775808n, 9223372036854775807n],
}

/**
 * The text of a client's value for a column, checked against the column's type, so that the database never sees one
 * that it would refuse (decisions "IDs").
 * @param type catalog type of what it is compared with; `null` = unknown
 * @throws Error whose message says what the value is not (the caller adds place and code)
 */
export function toText(value: unknown, named: NamedType | null, type: string | null): string {
  const text = plainText(value, named)
  if (type === null) return text
  const range = RANGES[type]
  if (range !== undefined) {
    if (!INTEGER.test(text)) throw new Error(`${show(value)} is not an integer`)
    const integer = BigInt(text)
    if (integer < range[0] || integer > range[1]) throw new Error(`${show(value)} is out of range`)
  } else if (type === 'uuid') {
    if (!UUID.test(text)) throw new Error(`${show(value)} is not a UUID`)
  } else if (type === 'numeric' || type === 'float4' || type === 'float8') {
    if (!NUMBER.test(text)) throw new Error(`${show(value)} is not a number`)
  } else if (type === 'bool') {
    if (text !== 'true' && text !== 'false') throw new Error(`${show(value)} is neither true nor false`)
  }
  return text
}

function plainText(value: unknown, named: NamedType | null): string {
  if (named?.kind === 'enum') {
    const stored = typeof value === 'string' ? named.toValue.get(value) : undefined
    if (stored === undefined) throw new Error(`${show(value)} is not a value of ${named.name}`)
    return stored
  }
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new Error('a text cannot contain the character U+0000')
    return value
  }
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (value === null || value === undefined) throw new Error('null cannot be compared; use _is_null')
  throw new Error(`${show(value)} is not a single value`)
}

/** The same for a list. */
export function toTexts(value: unknown, named: NamedType | null, type: string | null): Parameter {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  return items.map((item) => toText(item, named, type))
}

/** JSON text for a `jsonb` parameter. */
export function toJsonText(value: unknown): string {
  if (value === undefined) throw new Error('null cannot be compared; use _is_null')
  const text = writeJson(value)
  if (/\\u0000/.test(text)) throw new Error('JSON cannot contain the character U+0000')
  return text
}

/** A value in an error text, cut. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
