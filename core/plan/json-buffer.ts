const FIRST_BYTES = 1 << 18
/** A larger buffer is not kept for the next result. */
const MOST_KEPT = 1 << 22
/** From here on a text is handed on as bytes: making a string of it and bytes of that again costs more. */
const LARGE = 1 << 15

/**
 * Bytes that JSON is written into, used again for each result. What does not fit is not written but makes `length`
 * larger than the buffer: all is written once more into a larger one.
 */
export class JsonBuffer {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  /** The same bytes: four at a time are copied twice to three times as fast as one by one. */
  view = viewOf(this.bytes)
  length = 0

  put(text: string | Uint8Array): void {
    const { bytes, length } = this
    if (typeof text !== 'string') {
      if (length + text.length <= bytes.length) bytes.set(text, length)
      this.length = length + text.length
      return
    }
    // A character of UTF-16 is three bytes at most: most texts need not be measured.
    if (length + text.length * 3 > bytes.length) {
      this.length = length + Buffer.byteLength(text)
      if (!this.isFull) bytes.write(text, length)
    } else this.length = length + bytes.write(text, length)
  }

  putByte(byte: number): void {
    this.bytes[this.length++] = byte
  }

  /** What comes next has no room, and nobody knows how much of it there is. */
  overflow(): void {
    this.length = this.bytes.length + 1
  }

  get isFull(): boolean {
    return this.length > this.bytes.length
  }

  /**
   * What `write` writes, from the start.
   * @returns `null` when `write` says that it cannot
   */
  fill(write: (target: JsonBuffer) => boolean): string | Buffer | null {
    this.length = 0
    let written = write(this)
    while (this.isFull) {
      this.#use(Buffer.allocUnsafeSlow(Math.max(this.length, this.bytes.length) * 2))
      this.length = 0
      written = write(this)
    }
    if (!written) return null
    const { bytes, length } = this
    if (bytes.length <= MOST_KEPT) return ownText(bytes.subarray(0, length))
    this.#use(Buffer.allocUnsafeSlow(FIRST_BYTES))
    return bytes.subarray(0, length)
  }

  /** Room for so many bytes more, so that a large result is not written twice. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(this.length + count)
    this.bytes.copy(larger, 0, 0, this.length)
    this.#use(larger)
  }

  #use(bytes: Buffer<ArrayBuffer>): void {
    this.bytes = bytes
    this.view = viewOf(bytes)
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** Text in UTF-8 that is lent, as a string or, if it is long, as a copy. */
export function ownText(lent: Buffer): string | Buffer {
  if (lent.length < LARGE) return lent.toString('utf8')
  const copy = Buffer.allocUnsafeSlow(lent.length)
  copy.set(lent)
  return copy
}
