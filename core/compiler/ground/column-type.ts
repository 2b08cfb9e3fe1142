import { type Family, familyOf } from '../../schema/column-family.ts'
import type { TypeRef } from '../../schema/type-ref.ts'
import { isListRef, namedTypeOf } from '../../schema/type-ref.ts'
import type { NamedElement, TypeIndex } from './type-index.ts'

/** The best scalar for columns of each family. */
const NATURAL: Readonly<Record<Family, string>> = {
  integer: 'Int',
  float: 'Float',
  decimal: 'Decimal',
  text: 'String',
  boolean: 'Boolean',
  uuid: 'UUID',
  timestamp: 'DateTime',
  date: 'Date',
  time: 'Time',
  json: 'JSON',
  bytes: 'String',
  vector: 'Vector',
  place: 'GeoJSON',
  unsigned: 'BigInt',
  other: 'String',
}

/** Types whose scalar differs from that of their family. */
const OWN: Readonly<Record<string, string>> = {
  int8: 'BigInt',
  vector: 'Vector',
  halfvec: 'HalfVector',
  sparsevec: 'SparseVector',
}

/** Families that a scalar can be read from. The group of a scalar decides about scalars without an entry. */
const ACCEPTED: Readonly<Record<string, readonly Family[]>> = {
  ID: ['uuid', 'integer', 'text', 'decimal', 'date', 'time', 'timestamp', 'bytes', 'unsigned', 'other'],
  String: ['text', 'uuid', 'date', 'time', 'timestamp', 'bytes', 'unsigned', 'other', 'vector', 'place'],
  Int: ['integer', 'decimal'],
  Float: ['float', 'decimal', 'integer'],
  Boolean: ['boolean'],
  DateTime: ['timestamp'],
  Date: ['date'],
  Time: ['time'],
  UUID: ['uuid', 'text'],
  Decimal: ['decimal', 'integer', 'float'],
  BigInt: ['integer', 'decimal', 'unsigned'],
}

/**
 * Checks whether a field of the declared type can be read from a column. Columns of domains, enums and extension types
 * always fit.
 * @param columnType type name in the database catalog, `_text` for an array; `null`: unknown
 * @returns the GraphQL type to declare instead; `null`: the declared type fits
 */
export function columnMismatch(ref: TypeRef, index: TypeIndex, columnType: string | null): string | null {
  if (columnType === null) return null
  const named = index.get(namedTypeOf(ref).name)
  if (named === undefined || isJson(named)) return null
  // The labels of an enum are text.
  const family = columnType.startsWith('enum:') ? 'text' : familyOf(columnType)
  if (columnType.startsWith('_')) {
    if (isListRef(ref)) {
      const item = columnMismatch(namedTypeOf(ref), index, columnType.slice(1))
      return item === null ? null : `[${item}!]`
    }
    const element = familyOf(columnType.slice(1))
    return element === null ? 'a list' : `[${NATURAL[element]}!]`
  }
  if (isListRef(ref)) return family === null || family === 'json' ? null : naturalOf(family, columnType)
  if (named.kind === 'object' || named.kind === 'interface' || named.kind === 'union' || named.kind === 'input') {
    return family === null || family === 'json' ? null : naturalOf(family, columnType)
  }
  if (family === null) return null
  if (named.kind === 'enum') return family === 'text' || family === 'integer' ? null : naturalOf(family, columnType)
  if (named.base.semantic?.columns.includes(columnType) === true) return null
  return acceptedBy(named).includes(family) ? null : naturalOf(family, columnType)
}

const TIMES: ReadonlySet<string> = new Set(['DateTime', 'Date', 'Time'])

/**
 * Tests whether a field with a date or time type is read from a text column.
 * @param columnType type name in the database catalog
 */
export function isTimeInText(ref: TypeRef, index: TypeIndex, columnType: string): boolean {
  const named = isListRef(ref) ? undefined : index.get(ref.name)
  return named?.kind === 'scalar' && TIMES.has(named.base.name) && familyOf(columnType) === 'text'
}

/**
 * Tests whether SQL can compare columns of these two types with `=`. A type that is unknown (`null` or not in svc's
 * table) gives `true`.
 */
export function comparable(left: string | null, right: string | null): boolean {
  if (left === null || right === null || left === right) return true
  const a = familyOf(left)
  const b = familyOf(right)
  if (a === null || b === null || a === b) return true
  const numbers: readonly Family[] = ['integer', 'float', 'decimal']
  return numbers.includes(a) && numbers.includes(b)
}

/** Families whose values have the same text in every database. */
const KEYS: readonly Family[] = ['integer', 'decimal', 'text', 'uuid']

/**
 * Tests whether values of two key columns in different databases can be matched by their text. A type that is unknown
 * gives `true`.
 */
export function agreeAsKeys(left: string | null, right: string | null): boolean {
  const [a, b] = [left, right].map((type) => {
    if (type === null) return null
    return type.startsWith('enum:') ? 'text' : type.startsWith('_') ? 'other' : familyOf(type)
  }) as [Family | null, Family | null]
  if ([a, b].some((family) => family !== null && !KEYS.includes(family))) return false
  if (a === null || b === null || a === b) return true
  const texts: readonly Family[] = ['text', 'uuid']
  const numbers: readonly Family[] = ['integer', 'decimal']
  return [texts, numbers].some((alike) => alike.includes(a) && alike.includes(b))
}

function naturalOf(family: Family, columnType: string): string {
  return OWN[columnType] ?? NATURAL[family]
}

function isJson(named: NamedElement): boolean {
  return named.kind === 'scalar' && named.base.group === 'json'
}

function acceptedBy(named: Extract<NamedElement, { kind: 'scalar' }>): readonly Family[] {
  const { base } = named
  if (Object.hasOwn(ACCEPTED, base.name)) return ACCEPTED[base.name] ?? []
  // JSON can hold a list of numbers, too.
  if (base.group === 'vector') return base.semantic?.base === 'JSON' ? ['json'] : ['text']
  if (base.semantic !== undefined)
    return base.semantic.base === 'String' ? ['text'] : (ACCEPTED[base.semantic.base] ?? [])
  return base.group === 'number'
    ? ['integer', 'float', 'decimal']
    : ['text', 'uuid', 'date', 'time', 'timestamp', 'other']
}
