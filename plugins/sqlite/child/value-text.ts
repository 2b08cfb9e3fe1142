import type { Value } from './protocol.ts'

/** Converts a value of SQLite to the text that PostgreSQL would return: `\x…` for bytes. */
export function toText(value: Value): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'object')
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
  return String(value)
}

/** Returns the PostgreSQL name for the storage class of a SQLite value: `int8`, `float8`, `bytea` or `text`. */
export function typeOf(value: Value): string {
  switch (typeof value) {
    case 'bigint':
      return 'int8'
    case 'number':
      return 'float8'
    case 'object':
      return value === null ? 'text' : 'bytea'
    default:
      return 'text'
  }
}
