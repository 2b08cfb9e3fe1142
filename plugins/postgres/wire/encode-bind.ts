const BIND = 0x42
/** Its type, its length, the empty name of the portal, the end of the statement's name, and four counts and formats. */
const FIXED = 1 + 4 + 1 + 1 + 2 + 2 + 2 + 2
const TEXT = 0
const NULL = -1

/**
 * A Bind message and what goes out right behind it, in one buffer: each that is written by itself costs as much as making it.
 * @param statement name of a prepared one; empty: the unnamed one
 * @param values as text, and all results come as text
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
  // No formats of parameters: all of them are text.
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
