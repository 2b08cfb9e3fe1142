import type { JsonBuffer } from './json-buffer.ts'
import type { PackedSource } from './packed-source.ts'

/*
 * Four bytes at a time. `(x - ones) & ~x & highs` has the high bit of the first byte of x that is zero, and the ones
 * below it are clear (Hacker's Delight, 6-1); with `word ^ pattern` for x it finds a byte, with `word - 0x20…` one that is
 * smaller than a space. Words are little-endian, so that the first byte is the lowest.
 */
const ONES = 0x01010101
const HIGHS = 0x80808080
const SPACES = 0x20202020
const QUOTES = 0x22222222
const BACKSLASHES = 0x5c5c5c5c

const SEPARATOR = 0x01
const SPACE = 0x20
const BACKSLASH = 0x5c

/** Constant JSON text as bytes, in 32-bit words for fast copying. */
export interface Literal {
  readonly words: Int32Array
  /** Length of the text in bytes. The remaining bytes of the last word are padding. */
  readonly length: number
}

export function literal(text: string): Literal {
  const bytes = Buffer.from(text)
  const padded = Buffer.alloc((bytes.length + 3) & ~3)
  bytes.copy(padded)
  const words = new Int32Array(padded.length / 4)
  for (let i = 0; i < words.length; i++) words[i] = padded.readInt32LE(i * 4)
  return { words, length: bytes.length }
}

export function putLiteral({ words, length }: Literal, target: JsonBuffer): void {
  const { view, capacity } = target
  let q = target.length
  if (q + words.length * 4 > capacity) {
    target.overflow()
    return
  }
  for (let i = 0; i < words.length; i++, q += 4) view.setInt32(q, words[i]!, true)
  target.length += length
}

/**
 * Copies the next field to the target unchanged. The source is a text in which the database joined the fields of rows.
 * It moves the source to the field after it. If the target is too small, it marks the target as full.
 */
export function copyPlain(source: PackedSource, target: JsonBuffer): void {
  const input = source.view
  const output = target.view
  const last = target.capacity - 4
  let p = source.at
  for (let q = target.length; q <= last; p += 4, q += 4) {
    const word = input.getInt32(p, true)
    output.setInt32(q, word, true)
    const separators = word ^ ONES
    const hit = (separators - ONES) & ~separators & HIGHS
    if (hit !== 0) {
      const before = firstByte(hit)
      source.at = p + before + 1
      target.length = q + before
      return
    }
  }
  skipAll(source, target)
}

/**
 * Copies the next field to the target with JSON escapes. The source is a text in which the database joined the fields
 * of rows. It moves the source to the field after it. If the target is too small, it marks the target as full.
 */
export function copyText(source: PackedSource, target: JsonBuffer): void {
  const input = source.view
  const output = target.view
  const last = target.capacity - 4
  let p = source.at
  let q = target.length
  while (q <= last) {
    const word = input.getInt32(p, true)
    output.setInt32(q, word, true)
    const quotes = word ^ QUOTES
    const backslashes = word ^ BACKSLASHES
    const hit =
      (((word - SPACES) & ~word) | ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes)) & HIGHS
    if (hit === 0) {
      p += 4
      q += 4
      continue
    }
    const before = firstByte(hit)
    p += before
    q += before
    const byte = source.bytes[p++]!
    if (byte === SEPARATOR) {
      source.at = p
      target.length = q
      return
    }
    target.length = q
    putEscaped(byte, target)
    q = target.length
  }
  skipAll(source, target)
}

/** Returns the index of the byte, of four, that has the lowest set bit. */
function firstByte(hit: number): number {
  return (31 - Math.clz32(hit & -hit)) >> 3
}

/** Writes an escaped byte, as `JSON.stringify` and PostgreSQL escape it. */
function putEscaped(byte: number, target: JsonBuffer): void {
  if (byte < SPACE) target.put(JSON.stringify(String.fromCharCode(byte)).slice(1, -1))
  else {
    target.putByte(BACKSLASH)
    target.putByte(byte)
  }
}

function skipAll(source: PackedSource, target: JsonBuffer): void {
  source.at = source.end + 1
  target.overflow()
}
