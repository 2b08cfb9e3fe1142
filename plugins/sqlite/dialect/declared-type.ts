/** Maps a declared type, or its first word, to the catalog's name. */
const NAMES: Readonly<Record<string, string>> = {
  bool: 'bool',
  boolean: 'bool',
  date: 'date',
  time: 'time',
  datetime: 'timestamptz',
  timestamp: 'timestamptz',
  timestamptz: 'timestamptz',
  uuid: 'uuid',
  guid: 'uuid',
  json: 'json',
  jsonb: 'json',
  numeric: 'numeric',
  decimal: 'numeric',
  number: 'numeric',
  bytea: 'bytea',
}

/**
 * Type name in the catalog for a column whose type SQLite does not know. It is compatible with every type of the
 * schema.
 */
export const UNKNOWN_TYPE = 'unknown'

/**
 * Returns the PostgreSQL name for the declared type of a SQLite column, by known names and else by SQLite's affinity
 * rules. A second word may set the storage: `DECIMAL TEXT` is a decimal stored as text.
 * @param declared as written in CREATE TABLE; `null`: none
 */
export function canonicalType(declared: string | null): string {
  const text = (declared ?? '').trim().toLowerCase()
  const name = text.replace(/\(.*$/s, '').trim()
  if (name === '' || name === 'any') return UNKNOWN_TYPE
  const [first = ''] = name.split(/\s+/)
  if (Object.hasOwn(NAMES, first)) return NAMES[first]!
  if (name.includes('int') && !name.includes('interval') && !name.includes('point')) return 'int8'
  if (/char|clob|text/.test(name)) return 'text'
  if (name.includes('blob')) return 'bytea'
  if (/real|floa|doub/.test(name)) return 'float8'
  return first
}
