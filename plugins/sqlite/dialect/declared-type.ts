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

/** The catalog's name of an unknown type, which is compatible with every declared type. */
export const UNKNOWN_TYPE = 'unknown'

/**
 * Returns the canonical (PostgreSQL) name of a declared type. Known names come first, then SQLite's rules of affinity. A second word may
 * set the affinity: `DECIMAL TEXT` is a decimal that is stored as text.
 * @param declared as written in CREATE TABLE; empty or `null`: none
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
