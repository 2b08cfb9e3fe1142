import { columnTypeName, type LentRow } from '../../../core/doors/driver.ts'
import type { Rows } from '../../../core/doors/plugin.ts'

const BIND = 0x42
/** Bytes of a Bind message besides names and values: type, length, ends of both names, two format counts, value count, one format. */
const FIXED = 1 + 4 + 1 + 1 + 2 + 2 + 2 + 2
const TEXT = 0
const NULL = -1
const ERROR = 0x45
const NOTICE = 0x4e
/** Largest error or notice in bytes. Functions may raise long texts. */
const MOST_BYTES = 16 << 20
const LARGEST = largestMessages()
/** Type and length of a message. */
const LEAST_BYTES = 5
/** Values in a row with at least this many bytes are not decoded. */
const SHORT = 32

/**
 * Encodes a Bind message of the PostgreSQL protocol, followed by other messages, in one buffer.
 * @param statement name of the prepared statement; empty for the unnamed one
 * @param values parameters as text; results are requested as text too
 * @param behind messages to send after the Bind message
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function encodeBind(statement: string, values: readonly (string | null)[], behind: Buffer): Buffer {
  const count = values.length
  let size = FIXED + Buffer.byteLength(statement) + 4 * count
  for (let i = 0; i < count; i++) {
    const value = values[i]
    if (value !== null) size += Buffer.byteLength(value!)
  }
  const bytes = Buffer.allocUnsafe(size + behind.length)
  bytes[0] = BIND
  bytes.writeInt32BE(size - 1, 1)
  bytes[5] = 0
  let at = 6 + bytes.write(statement, 6)
  bytes[at++] = 0
  // One format for all parameters: text.
  at = bytes.writeInt16BE(TEXT, at)
  at = bytes.writeUInt16BE(count, at)
  for (let i = 0; i < count; i++) {
    const value = values[i]
    if (value === null) at = bytes.writeInt32BE(NULL, at)
    else {
      const length = bytes.write(value!, at + 4)
      bytes.writeInt32BE(length, at)
      at += 4 + length
    }
  }
  at = bytes.writeInt16BE(1, at)
  at = bytes.writeInt16BE(TEXT, at)
  bytes.set(behind, at)
  return bytes
}

/** The protocol message `RowDescription`, as the package `pg` parses it. */
export interface DescriptionMessage {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** Returns names and type names of the columns in a `RowDescription` message. */
export function columnsOf({ fields }: DescriptionMessage): Rows['columns'] {
  return fields.map(({ name, dataTypeID }) => ({ name, type: columnTypeName(dataTypeID) }))
}

/**
 * Decodes the values of a `DataRow` message, in the order of its columns. Long values are views of `bytes`, whose
 * content changes after the caller returns.
 * @param start index of the column count, with which the body of the message begins
 * @param end index after the message
 * @throws RangeError for a malformed row
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function parseRow(bytes: Buffer, start: number, end: number): LentRow {
  const row: (string | Buffer | null)[] = []
  for (let at = start + 2; at < end; ) {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length === -1) row.push(null)
    else if (length < 0 || length > end - at) throw new RangeError('The row of the database cannot be read.')
    else {
      row.push(length < SHORT ? bytes.toString('utf8', at, at + length) : bytes.subarray(at, at + length))
      at += length
    }
  }
  return row
}

/** Returns the largest size in bytes of each type of message that a server sends. 0: no message has this type. */
function largestMessages(): Uint32Array {
  const largest = new Uint32Array(256)
  // The largest of these, the description of 1,664 columns, has a tenth of it.
  for (const type of Buffer.from('RKvSZTtIAVGHW123cnsC')) largest[type] = 2 << 20
  // Rows, and the contents of COPY.
  for (const type of Buffer.from('Dd')) largest[type] = 1 << 30
  largest[ERROR] = MOST_BYTES
  largest[NOTICE] = MOST_BYTES
  return largest
}

/**
 * Checks that the header of a message is possible. Otherwise a page of a proxy, or bytes that went missing, would announce
 * a message that never ends, and all statements in flight would wait for it.
 * @param type type byte of the message
 * @param size length of the message in bytes, with its type byte
 * @throws Error for an unknown type or an impossible length
 */
export function checkHeader(type: number, size: number): void {
  if (size < LEAST_BYTES || size > LARGEST[type]!) throw unreadable()
}

/**
 * Tests whether a message of the server is an error or a notice, which consist of fields. Its end must be checked with
 * {@link checkFields}, because the parser of `pg` loops for ever without it.
 * @param type type byte of the message
 */
export function isOfFields(type: number): boolean {
  return type === ERROR || type === NOTICE
}

/**
 * Checks that an error or notice message of the server ends correctly.
 * @param end index after the message
 * @throws Error when its last field, or its list of fields, is not terminated
 */
export function checkFields(bytes: Buffer, end: number): void {
  if (bytes[end - 1] !== 0 || bytes[end - 2] !== 0) throw unreadable()
}

function unreadable(): Error {
  return new Error('What came from the database cannot be read.')
}
