const SEPARATOR = 1
const MOST_KEPT = 1 << 22
/** Bytes after the last separator, so that four bytes can be read at the start of every field. */
const PADDING = 4

/** A text of fields as bytes, read from front to back. */
export interface PackedSource {
  readonly bytes: Buffer
  /** A view of the same bytes, with at least three further bytes after the end. */
  readonly view: DataView
  /** Index of the separator after the last field. */
  readonly end: number
  /** Start of the next field; greater than `end` when there is none. */
  at: number
}

let kept = Buffer.allocUnsafeSlow(1 << 17)
let keptView = new DataView(kept.buffer)

/** Copies the text, which may be lent memory. Use the source before you open the next one: they share a buffer. */
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

/** Tests whether all fields were read and no text is left. */
export function isDone({ at, end }: PackedSource): boolean {
  return at === end + 1
}

/** Returns the end of the field that starts at `at`. */
export function endOfField({ bytes }: PackedSource, at: number): number {
  let end = at
  while (bytes[end] !== SEPARATOR) end++
  return end
}
