const SEPARATOR = 1
const MOST_KEPT = 1 << 22
/** Bytes after the last separator, so that four bytes can be read at the start of every field. */
const PADDING = 4

/**
 * The bytes of a text in which the database joined the fields of rows with separators, and the position from which the
 * next field is read.
 */
export interface PackedSource {
  readonly bytes: Buffer
  /** A view of the same bytes, which extends at least three bytes beyond `end`. */
  readonly view: DataView
  /** Index of the separator that follows the last field. */
  readonly end: number
  /** Index of the next field; greater than `end`: there are no more fields. */
  at: number
}

let kept = Buffer.allocUnsafeSlow(1 << 17)
let keptView = new DataView(kept.buffer)

/**
 * Copies a text in which the database joined the fields of rows to a buffer, from which the fields are read. There is
 * one buffer for all texts, so read one text completely before you open the next.
 */
export function openSource(text: string | Buffer): PackedSource {
  const length = typeof text === 'string' ? Buffer.byteLength(text) : text.length
  let bytes = kept
  let view = keptView
  if (length + PADDING > bytes.length) {
    bytes = Buffer.allocUnsafeSlow(length + (length >> 3) + PADDING)
    view = new DataView(bytes.buffer)
    if (bytes.length <= MOST_KEPT) {
      kept = bytes
      keptView = view
    }
  }
  // As many bytes as characters means ASCII, which latin1 writes without an encoder.
  if (typeof text === 'string') bytes.write(text, 0, length === text.length ? 'latin1' : 'utf8')
  else bytes.set(text)
  bytes[length] = SEPARATOR
  return { bytes, view, end: length, at: 0 }
}

/** Tests whether all fields of the text were read and no characters are left. */
export function isDone({ at, end }: PackedSource): boolean {
  return at === end + 1
}

/** Returns the index of the separator after the field that starts at `at`. */
export function endOfField({ bytes }: PackedSource, at: number): number {
  let end = at
  while (bytes[end] !== SEPARATOR) end++
  return end
}
