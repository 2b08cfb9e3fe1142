import { writeJson } from '../../../base/util/exact-number.ts'
import type { StoredValue, Target } from '../../../contract/plan/stored-value.ts'
import type { Parameter } from '../../../contract/statement.ts'
import type { EnumType, NamedType, ScalarType } from '../../../schema/model.ts'
import { scalarOf } from '../../../schema/scalars.ts'

/**
 * Returns the left side of a comparison with a stored scalar or enum: the value, and the type to compare it in. A
 * column keeps its own type; a key of a JSON document has the type of the scalar.
 */
export function targetOf(named: ScalarType | EnumType, value: StoredValue): Target {
  return { value, named, list: false, type: typeOf(named, value) }
}

function typeOf(named: ScalarType | EnumType, value: StoredValue): string | null {
  // The column may be of an SQL enum: the database infers the operand from it.
  if (named.kind === 'enum') return value.from === 'document' ? 'text' : null
  const scalar = scalarOf(named)
  if (scalar.group === 'json') return 'jsonb'
  if (value.from === 'document') return scalar.documentCast ?? 'text'
  if (named.base === 'Date' && value.type?.startsWith('timestamp')) return 'date'
  if (scalar.group === 'datetime' && (value.type === 'timestamp' || value.type === 'date')) return 'timestamptz'
  return value.type
}

/**
 * Returns the left side of a comparison with a stored list of scalars or enums: the value, and the type of its items.
 */
export function listTargetOf(named: ScalarType | EnumType, value: StoredValue): Target {
  return { value, named, list: true, type: elementTypeOf(named, value) }
}

function elementTypeOf(named: ScalarType | EnumType, value: StoredValue): string | null {
  if (value.from === 'column' && value.type !== 'json' && value.type !== 'jsonb') {
    return value.type?.startsWith('_') && named.kind === 'scalar' ? value.type.slice(1) : null
  }
  return named.kind === 'scalar' ? (scalarOf(named).documentCast ?? 'text') : 'text'
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
 * Converts a client's value to the text of a statement parameter. It checks the value against the type of the column,
 * so that the database never has to reject it.
 * @param named declared type; `null`: unknown
 * @param type PostgreSQL type of the column; `null`: unknown
 * @throws Error whose message describes the fault; the caller adds path and code
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
    if (!fits(Number(text), type)) throw new Error(`${show(value)} is out of range`)
  } else if (type === 'bool') {
    if (text !== 'true' && text !== 'false') throw new Error(`${show(value)} is neither true nor false`)
  }
  return text
}

/** Tests whether the type can represent a number approximately: not if a tiny number would become zero. */
function fits(number: number, type: 'numeric' | 'float4' | 'float8'): boolean {
  if (type === 'numeric') return true
  const nearest = type === 'float4' ? Math.fround(number) : number
  return Number.isFinite(nearest) && (nearest !== 0 || number === 0)
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

/** Converts a client's list to a list parameter, see {@link toText}. Items of JSON become JSON texts, even null. */
export function toTexts(value: unknown, named: NamedType | null, type: string | null): Parameter {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isJson = named?.kind === 'scalar' && scalarOf(named).group === 'json'
  return items.map((item) => (isJson ? toJsonText(item) : toText(item, named, type)))
}

/** Matches escapes in JSON text that PostgreSQL cannot store. After another backslash, the text is no escape. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/**
 * Converts a value to the JSON text of a `jsonb` parameter. @throws Error for `undefined`, and for characters that
 * PostgreSQL cannot store
 */
export function toJsonText(value: unknown): string {
  if (value === undefined) throw new Error('null cannot be compared; use _is_null')
  const text = writeJson(value)
  if (UNSTORABLE.test(text)) throw new Error('JSON cannot hold the character U+0000, nor half of a surrogate pair')
  return text
}

/** Prints a value for an error message, truncated. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
