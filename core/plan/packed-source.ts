const SEPARATOR = 1
const MOST_KEPT = 1 << 22

/** A text of fields as bytes, read from front to back. */
export interface PackedSource {
  readonly bytes: Buffer
  /** Behind the last field. A separator stands there. */
  readonly end: number
  /** Where the next field starts; behind `end` when there is none. */
  at: number
}

let kept = Buffer.allocUnsafeSlow(1 << 17)

/** Used before the next one is opened. */
export function openSource(text: string): PackedSource {
  const length = Buffer.byteLength(text)
  if (length >= kept.length) {
    const larger = Buffer.allocUnsafeSlow(length + (length >> 3) + 1)
    if (larger.length > MOST_KEPT) return fillSource(larger, text, length)
    kept = larger
  }
  return fillSource(kept, text, length)
}

function fillSource(bytes: Buffer, text: string, length: number): PackedSource {
  // As many bytes as characters means ASCII, which latin1 writes without an encoder.
  bytes.write(text, 0, length === text.length ? 'latin1' : 'utf8')
  bytes[length] = SEPARATOR
  return { bytes, end: length, at: 0 }
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
