import type { Value } from './protocol.ts'

/** Converts a value of SQLite to the text that the driver returns: PostgreSQL's text form for the storage class. */
export function toText(value: Value): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'object')
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
  return String(value)
}

/** Returns the canonical type of the storage class of a value. */
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
