import type { LentRow } from '../../../core/doors/driver.ts'

/** Longer values stay bytes. */
const SHORT = 32

/**
 * The values of a `DataRow` in the order of its columns. Long ones lie in `bytes` still: they are gone when the caller
 * returns.
 * @throws RangeError for what is no row
 * @param start of the number of columns, with which the body of the message begins
 * @param end behind the message
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
