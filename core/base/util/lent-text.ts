import { listInPart, type WrittenList } from './written-list.ts'

/** Exponents of the smallest and largest block (powers of two): memory blocks from 4 KiB to 4 MiB are reused. */
const SMALLEST = 12
const LARGEST = 22
/** Limit in bytes for unused blocks that are kept for later texts. */
const MOST_SPARE = 1 << 24

/** Unused blocks, by size: `spare[n]` holds those of 2^n bytes. */
const spare: Buffer[][] = Array.from({ length: LARGEST + 1 }, () => [])
let spareBytes = 0

function takeMemory(length: number): Buffer {
  const power = Math.max(SMALLEST, 32 - Math.clz32(length - 1))
  if (power > LARGEST) return Buffer.allocUnsafeSlow(length)
  const memory = spare[power]!.pop()
  if (memory === undefined) return Buffer.allocUnsafeSlow(1 << power)
  spareBytes -= memory.length
  return memory
}

function giveMemory(memory: Buffer): void {
  const power = 31 - Math.clz32(memory.length)
  if (memory.length !== 1 << power || power > LARGEST || spareBytes + memory.length > MOST_SPARE) return
  spareBytes += memory.length
  spare[power]!.push(memory)
}

/**
 * Returns the bytes of a text for writing them to a socket. Call `closeText` once for each call, after the operating
 * system has taken all bytes.
 */
export let openText: (text: LentText) => Uint8Array
export let closeText: (text: LentText) => void

/**
 * A long text in UTF-8 whose memory is reused after it has been sent. For large replies, allocating and collecting
 * memory would cost more than writing the text. Only `openText` hands out the bytes, so that no other code keeps a
 * reference to memory that a later text will use.
 */
export class LentText {
  static {
    openText = (text) => text.#open()
    closeText = (text) => text.#close()
  }

  /** Length in bytes. */
  readonly length: number
  /** Position of a JSON list in the text, in bytes, if the writer recorded it. */
  readonly list: WrittenList | null
  #memory: Buffer | null
  /** Set for a part: the text that owns the memory, and the offset of the part in it. */
  #whole: LentText | null = null
  #start = 0
  #senders = 0
  #kept = false

  /** @param bytes are copied, unless `whole` is set @param whole the text that owns `bytes`; `null` for an independent text */
  constructor(bytes: Uint8Array, whole: LentText | null = null, list: WrittenList | null = null) {
    this.length = bytes.length
    this.list = list
    this.#whole = whole
    this.#memory = null
    if (whole !== null) return
    this.#memory = takeMemory(bytes.length)
    this.#memory.set(bytes)
  }

  /** Size in bytes of the memory block, which is at least as large as the text. 0 after the text was sent. */
  get held(): number {
    return this.#whole === null ? (this.#memory?.length ?? 0) : this.#whole.held
  }

  /** The part from byte `start` up to `end`, in the same memory. Sending it frees the memory of the whole text. */
  part(start: number, end: number): LentText {
    const part = new LentText(this.#bytes().subarray(start, end), this, listInPart(this.list, start, end))
    part.#start = start
    return part
  }

  /** The text with one character per byte (latin1), to search for ASCII text. */
  toBytes(): string {
    return this.#bytes().toString('latin1')
  }

  /** Calls `look` with the bytes, for example to compute a checksum. `look` must not keep a reference to them. */
  read<T>(look: (bytes: Uint8Array) => T): T {
    return look(this.#bytes())
  }

  /** Tests whether it contains `text`. */
  includes(text: string): boolean {
    return this.#bytes().includes(text)
  }

  /** @throws Error when the text was sent and not kept */
  toString(): string {
    return this.#bytes().toString('utf8')
  }

  /**
   * Keeps the text after it was sent: its memory is not used again. Needed when one result goes to several requests, or
   * is stored. Call it before the first reply is sent; no reply is sent before all `then` callbacks of the result's
   * promise have run.
   */
  keep(): void {
    this.#kept = true
    this.#whole?.keep()
  }

  #bytes(): Buffer {
    if (this.#whole !== null) return this.#whole.#bytes().subarray(this.#start, this.#start + this.length)
    if (this.#memory === null) {
      throw new Error(
        'This text was sent and its memory is released. To use it later, take its string or call keep() before it is sent.',
      )
    }
    return this.#memory.subarray(0, this.length)
  }

  #open(): Buffer {
    const bytes = this.#bytes()
    if (this.#whole === null) this.#senders++
    else this.#whole.#open()
    return bytes
  }

  #close(): void {
    if (this.#whole !== null) {
      this.#whole.#close()
      return
    }
    if (--this.#senders > 0 || this.#kept || this.#memory === null) return
    giveMemory(this.#memory)
    this.#memory = null
  }
}

/**
 * The body of a reply that contains a long text, with the strings that a protocol plugin puts before and after the text
 * (`{"data":` and `}`).
 */
export class WrappedText {
  readonly before: string
  readonly text: LentText
  readonly after: string

  constructor(before: string, text: LentText, after: string) {
    this.before = before
    this.text = text
    this.after = after
  }

  /** Length in bytes. */
  get length(): number {
    return Buffer.byteLength(this.before) + this.text.length + Buffer.byteLength(this.after)
  }

  /** @throws Error when the text was sent and not kept */
  toString(): string {
    return `${this.before}${this.text}${this.after}`
  }
}
