/** A column of a result, as the package `mysql2` describes it. */
export interface ResultField {
  readonly name: string
  readonly columnType: number
  readonly columnLength: number
  readonly flags: number
  readonly characterSet: number
  /** MariaDB: `uuid`, `inet6`, … */
  readonly extendedTypeName?: string | undefined
  /** MariaDB: `json` for JSON, which it sends as text. */
  readonly extendedFormat?: string | undefined
}

/** How the values of a result column become text, and the name of its type in PostgreSQL. */
export interface ColumnReader {
  readonly name: string
  readonly type: string
  /** Converts a value of `mysql2` that is not null. */
  readonly read: (value: unknown) => string
}

/** Types of the protocol. https://mariadb.com/kb/en/result-set-packets/#field-types */
const TYPES: Readonly<Record<number, string>> = {
  1: 'int2', // TINY
  2: 'int2', // SHORT
  3: 'int4', // LONG
  4: 'float4', // FLOAT
  5: 'float8', // DOUBLE
  7: 'timestamptz', // TIMESTAMP
  8: 'int8', // LONGLONG
  9: 'int4', // INT24
  10: 'date',
  11: 'time',
  12: 'timestamp', // DATETIME
  13: 'int2', // YEAR
  14: 'date', // NEWDATE
  16: 'bit',
  0: 'numeric', // DECIMAL
  246: 'numeric', // NEWDECIMAL
  245: 'json',
  255: 'geometry',
}
const TINY = 1
const FLOAT = 4
const BIT = 16
const UNSIGNED = 0x20
const BINARY = 63
/** Unsigned integers need the next larger type; for 64 bits it is PostgreSQL's `xid8`. */
const UNSIGNED_TYPES: Readonly<Record<number, string>> = { 1: 'int2', 2: 'int4', 3: 'int8', 8: 'xid8', 9: 'int4' }

/** Returns how to read a column of a result. */
export function columnReader(field: ResultField): ColumnReader {
  const { name, columnType } = field
  if (columnType === TINY && field.columnLength === 1) return { name, type: 'bool', read: readBoolean }
  if (columnType === BIT) {
    const { columnLength } = field
    return columnLength === 1
      ? { name, type: 'bool', read: (value) => ((value as Buffer).at(-1) === 0 ? 'f' : 't') }
      : { name, type: 'bit', read: (value) => bitsOf(value as Buffer, columnLength) }
  }
  return { name, type: typeOf(field), read: readerOf(columnType) }
}

function typeOf({ columnType, flags, characterSet, extendedFormat, extendedTypeName }: ResultField): string {
  if (extendedFormat === 'json') return 'json'
  if (extendedTypeName === 'uuid') return 'uuid'
  if (extendedTypeName !== undefined && /^inet[46]$/.test(extendedTypeName)) return 'inet'
  if ((flags & UNSIGNED) !== 0 && UNSIGNED_TYPES[columnType] !== undefined) return UNSIGNED_TYPES[columnType]
  return TYPES[columnType] ?? (characterSet === BINARY ? 'bytea' : 'text')
}

function readerOf(columnType: number): (value: unknown) => string {
  switch (columnType) {
    case FLOAT:
      return (value) => shortFloat(value as number)
    case 7:
    case 12:
      return (value) => withoutZeros(value as string) + (columnType === 7 ? '+00' : '')
    case 11:
      return (value) => withoutZeros(value as string)
    default:
      return readValue
  }
}

function readValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function readBoolean(value: unknown): string {
  return value === 0 ? 'f' : 't'
}

/** `00010101`, as PostgreSQL shows a bit string. */
function bitsOf(value: Buffer, length: number): string {
  const bits = [...value].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.slice(-length).padStart(length, '0')
}

/** PostgreSQL writes no zeros at the end of fractions of seconds. */
function withoutZeros(time: string): string {
  return time.includes('.') ? time.replace(/\.?0+$/, '') : time
}

/** The shortest text that is read back as the same 32-bit number: `0.1`, not `0.10000000149011612`. */
function shortFloat(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const text = value.toPrecision(digits)
    if (Math.fround(Number(text)) === value) return String(Number(text))
  }
  return String(Number(value.toPrecision(9)))
}
