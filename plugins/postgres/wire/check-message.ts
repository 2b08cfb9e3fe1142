const ERROR = 0x45
const NOTICE = 0x4e
/** A server may raise a long text. */
const MOST_BYTES = 16 << 20

/**
 * `pg`'s parser reads the fields of an error until one is empty: where none is, it would read for ever. So these are looked at
 * first, and have to be there as a whole.
 * @throws Error for one that is larger than any of them
 */
export function isOfFields(type: number, size: number): boolean {
  if (type !== ERROR && type !== NOTICE) return false
  if (size > MOST_BYTES) throw unreadable()
  return true
}

/**
 * @param end behind the message
 * @throws Error when its last field, or all of them, have no end
 */
export function checkFields(bytes: Buffer, end: number): void {
  if (bytes[end - 1] !== 0 || bytes[end - 2] !== 0) throw unreadable()
}

function unreadable(): Error {
  return new Error('What came from the database cannot be read.')
}
