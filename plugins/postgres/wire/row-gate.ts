import { checkFields, checkHeader, isOfFields } from './protocol-messages.ts'

const HEADER = 5
const DATA_ROW = 0x44
const NOTHING = Buffer.alloc(0)
/** Bytes that the protocol adds to a row with one value: type, length, number of columns, length of the value. */
const ROW_OVERHEAD = 11
/** Largest buffer that is kept for the next row. */
const MOST_KEPT = 1 << 20

/** Receives the rows that arrive on a connection: the statement that the server is executing. */
export interface RowOwner {
  /** Maximum size of a row in bytes. */
  readonly maxBytes: number
  /** Called for a row that is larger than `maxBytes`. @returns `true` to discard the row */
  refuse(): boolean
  /** Returns `true` if rows should be passed to `takeRow` as bytes, instead of being decoded by the parser of `pg`. */
  takesRows(): boolean
  /**
   * Receives the body of a `DataRow` message, from its column count to its end. The bytes are only valid during the
   * call.
   */
  takeRow(bytes: Buffer, start: number, end: number): void
}

/**
 * A filter between the socket and the parser of `pg`. It discards rows that are too large while they arrive, and passes
 * rows as bytes to an owner that wants them so. Other messages reach the parser unchanged, after a check of their form.
 */
export class RowGate {
  readonly #owner: RowOwner
  readonly #forward: (chunk: Buffer) => void
  /** Bytes of the present message that have not arrived yet. */
  #rest = 0
  #dropping = false
  /** Was the last message a row for the parser? Then the next row passes without asking the owner. */
  #passing = false
  /** The part of the present row that has arrived, if its owner takes it. */
  #row: Buffer | null = null
  /** Buffer for such rows. */
  #kept = NOTHING
  /** The start of a header or an error message whose end was not in the chunk. */
  #fragment = NOTHING

  /** @param forward passes bytes to the parser */
  constructor(owner: RowOwner, forward: (chunk: Buffer) => void) {
    this.#owner = owner
    this.#forward = forward
  }

  /** @param lent `true` if the memory of the chunk is reused for the next one */
  push(arrived: Buffer, lent: boolean): void {
    let chunk = arrived
    if (this.#fragment.length > 0) {
      chunk = Buffer.concat([this.#fragment, arrived])
      this.#fragment = NOTHING
    }
    const { length } = chunk
    /** Offset of the first byte that was not forwarded yet. */
    let start = 0
    let at = this.#rest
    if (at > 0 && (this.#dropping || this.#row !== null)) {
      start = Math.min(at, length)
      if (this.#row !== null) this.#collect(chunk, 0, start)
    }
    /** Offset of the last message. */
    let last = 0
    while (at + HEADER <= length) {
      last = at
      const size = chunk.readUInt32BE(at + 1) + 1
      const type = chunk[at]!
      checkHeader(type, size)
      const isTooLarge = size > this.#owner.maxBytes + ROW_OVERHEAD
      this.#dropping = false
      if (type !== DATA_ROW) {
        this.#passing = false
        if (isOfFields(type)) {
          if (at + size > length) break
          checkFields(chunk, at + size)
        }
      } else if (isTooLarge || !this.#passing) {
        // The parser has to read earlier messages first, which determine the owner of this row.
        if (at > start) this.#forward(chunk.subarray(start, at))
        start = at
        if (isTooLarge && this.#owner.refuse()) {
          this.#dropping = true
          start = Math.min(at + size, length)
        } else if (this.#owner.takesRows()) {
          start = Math.min(at + size, length)
          if (at + size <= length) this.#owner.takeRow(chunk, at + HEADER, at + size)
          else {
            this.#row = this.#memory(size)
            this.#rest = size
            this.#collect(chunk, at, length)
          }
        } else this.#passing = true
      }
      at += size
    }
    // An incomplete header, or a message that is checked as a whole.
    if (at < length) {
      this.#fragment = Buffer.from(chunk.subarray(at))
      this.#rest = 0
      if (at > start) this.#forward(chunk.subarray(start, at))
      return
    }
    this.#rest = at - length
    if (start === length) return
    if (this.#rest > 0 && lent) {
      // The parser keeps incomplete messages.
      if (last > start) this.#forward(chunk.subarray(start, last))
      this.#forward(Buffer.from(chunk.subarray(Math.max(start, last))))
    } else this.#forward(start === 0 ? chunk : chunk.subarray(start))
  }

  #memory(size: number): Buffer {
    if (size > this.#kept.length) {
      const larger = Buffer.allocUnsafeSlow(size + (size >> 2))
      if (size > MOST_KEPT) return larger.subarray(0, size)
      this.#kept = larger
    }
    return this.#kept.subarray(0, size)
  }

  #collect(chunk: Buffer, start: number, end: number): void {
    const row = this.#row!
    chunk.copy(row, row.length - this.#rest, start, end)
    this.#rest -= end - start
    if (this.#rest > 0) return
    this.#row = null
    this.#owner.takeRow(row, HEADER, row.length)
  }
}
