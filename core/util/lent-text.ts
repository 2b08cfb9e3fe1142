import { listInPart, type WrittenList } from './written-list.ts'

/** Powers of two: memory of 4 KiB to 4 MiB is used again. */
const SMALLEST = 12
const LARGEST = 22
/** Bytes that lie here for the next text, at most. */
const MOST_SPARE = 1 << 24

/** Memory that nobody reads any more, by the power of two that is its size. */
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

/** The bytes, for who writes them to a socket; to be followed by one `closeText` when the system has them all. */
export let openText: (text: LentText) => Uint8Array
export let closeText: (text: LentText) => void

/**
 * A long text in UTF-8, in memory that is used again once the text has been sent: memory taken anew for every reply costs
 * more than writing it, and the collector runs over the whole heap to get it back. Nobody sees the bytes but who sends
 * them (`openText`), so that nobody can hold on to what will be another's.
 */
export class LentText {
  static {
    openText = (text) => text.#open()
    closeText = (text) => text.#close()
  }

  /** In bytes. */
  readonly length: number
  /** One that stands in it, by bytes, if it was noted. */
  readonly list: WrittenList | null
  #memory: Buffer | null
  /** Of a part: whose memory it is, and where it begins there. */
  #whole: LentText | null = null
  #start = 0
  #senders = 0
  #kept = false

  /** @param bytes are copied @param whole `null`, or whose bytes they are: then nothing is copied */
  constructor(bytes: Uint8Array, whole: LentText | null = null, list: WrittenList | null = null) {
    this.length = bytes.length
    this.list = list
    this.#whole = whole
    this.#memory = null
    if (whole !== null) return
    this.#memory = takeMemory(bytes.length)
    this.#memory.set(bytes)
  }

  /** Bytes of memory that it takes from who keeps it: more than its text has. */
  get held(): number {
    return this.#whole === null ? (this.#memory?.length ?? 0) : this.#whole.held
  }

  /** A part of it, by bytes, in the same memory: sent once, it is gone with the whole. */
  part(start: number, end: number): LentText {
    const part = new LentText(this.#bytes().subarray(start, end), this, listInPart(this.list, start, end))
    part.#start = start
    return part
  }

  /** The text with a character for each byte, for who looks for what is ASCII. */
  toBytes(): string {
    return this.#bytes().toString('latin1')
  }

  /** Lets somebody look at the bytes (a checksum), who keeps nothing of them. */
  read<T>(look: (bytes: Uint8Array) => T): T {
    return look(this.#bytes())
  }

  /** Is the text in it? */
  includes(text: string): boolean {
    return this.#bytes().includes(text)
  }

  /** @throws Error when it was sent and not kept */
  toString(): string {
    return this.#bytes().toString('utf8')
  }

  /**
   * Its memory is not used again. For whoever gives one result to several requests, or to later ones; to be called
   * before the first reply is sent, which is never before the promise of the result has run all its continuations.
   */
  keep(): void {
    this.#kept = true
    this.#whole?.keep()
  }

  #bytes(): Buffer {
    if (this.#whole !== null) return this.#whole.#bytes().subarray(this.#start, this.#start + this.length)
    if (this.#memory === null) {
      throw new Error(
        'This text was sent and is gone. Whoever wants it later takes its string or calls keep() in time.',
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

/** A text and what a front puts around it, as the body of a reply. */
export class WrappedText {
  readonly before: string
  readonly text: LentText
  readonly after: string

  constructor(before: string, text: LentText, after: string) {
    this.before = before
    this.text = text
    this.after = after
  }

  /** In bytes. */
  get length(): number {
    return Buffer.byteLength(this.before) + this.text.length + Buffer.byteLength(this.after)
  }

  /** @throws Error when it was sent and not kept */
  toString(): string {
    return `${this.before}${this.text}${this.after}`
  }
}
