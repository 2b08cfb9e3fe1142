const SEPARATOR = 1
const MOST_KEPT = 1 << 22
/** Behind the separator at the end, so that four bytes can be read wherever a field starts. */
const PADDING = 4

/** A text of fields as bytes, read from front to back. */
export interface PackedSource {
  readonly bytes: Buffer
  /** The same bytes, and at least three more behind the end. */
  readonly view: DataView
  /** Behind the last field. A separator stands there. */
  readonly end: number
  /** Where the next field starts; behind `end` when there is none. */
  at: number
}

let kept = Buffer.allocUnsafeSlow(1 << 17)
let keptView = new DataView(kept.buffer)

/** Copies the text: it may be lent. The source is used before the next one is opened. */
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

/** Was it exactly as long as the fields that were to be in it? */
export function isDone({ at, end }: PackedSource): boolean {
  return at === end + 1
}

/** Where the field at `at` ends. */
export function endOfField({ bytes }: PackedSource, at: number): number {
  let end = at
  while (bytes[end] !== SEPARATOR) end++
  return end
}
