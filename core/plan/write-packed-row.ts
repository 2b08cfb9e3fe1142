import { type JsonBuffer, putText } from './json-buffer.ts'
import { FIELD_KIND } from './packed-field.ts'
import type { RowTemplate } from './packed-row.ts'
import { endOfField, type PackedSource } from './packed-source.ts'
import { jsonOfDate, jsonOfTimestamp } from './packed-time.ts'

const SEPARATOR = 0x01
const SPACE = 0x20
const QUOTE = 0x22
const PLUS = 0x2b
const DASH = 0x2d
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const LETTER_T = 0x54
const BACKSLASH = 0x5c
const LETTER_C = 0x43
const SMALL_T = 0x74
const BASE64 = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const EQUALS = 0x3d

/**
 * The JSON of the next row, byte by byte: two thirds faster than strings, which would be cut out of the text one by one.
 * @returns `false`: not what was expected, or a null that may not be
 */
export function writePackedRow(template: RowTemplate, source: PackedSource, target: JsonBuffer): boolean {
  const { writers, last } = template
  const input = source.bytes
  const output = target.bytes
  let p = source.at
  let q = target.length
  for (let w = 0; w < writers.length; w++) {
    if (p > source.end) return false
    const { before, kind, nullable, quoted, marked, required } = writers[w]!
    for (let i = 0; i < before.length; i++) output[q++] = before[i]!
    if (nullable) {
      if (input[p] === SEPARATOR) {
        if (required) return false
        q = putText(output, q, 'null')
        p++
        continue
      }
      if (marked) p++
      if (quoted) output[q++] = QUOTE
    }
    const start = p
    let byte: number
    switch (kind) {
      case FIELD_KIND.plain:
        for (byte = input[p++]!; byte !== SEPARATOR; byte = input[p++]!) output[q++] = byte
        break
      case FIELD_KIND.text:
        for (byte = input[p++]!; byte !== SEPARATOR; byte = input[p++]!) {
          if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) q = putEscaped(output, q, byte)
          else output[q++] = byte
        }
        break
      case FIELD_KIND.number: {
        const first = input[p] === DASH ? input[p + 1]! : input[p]!
        const isNumber = first >= ZERO && first <= NINE
        if (!isNumber) output[q++] = QUOTE
        for (byte = input[p++]!; byte !== SEPARATOR; byte = input[p++]!) output[q++] = byte
        if (!isNumber) output[q++] = QUOTE
        break
      }
      case FIELD_KIND.boolean:
        q = putText(output, q, input[p] === SMALL_T ? 'true' : 'false')
        p = endOfField(source, p) + 1
        break
      case FIELD_KIND.instant:
      case FIELD_KIND.timestamp: {
        // `2021-01-31 12:00:00.5+00` → `2021-01-31T12:00:00.5+00:00`, as `to_json` writes it.
        const end = endOfField(source, p)
        const isInstant = kind === FIELD_KIND.instant
        const zone = input[end - 3]
        const isShort = zone === PLUS || zone === DASH
        const isUsual = isInstant ? isShort || zone === COLON : input[end - 1] !== LETTER_C
        if (isUsual && input[p + 10] === SPACE && input[p + 4] === DASH) {
          for (let i = 0; i < 10; i++) output[q++] = input[p++]!
          output[q++] = LETTER_T
          p++
          while (p < end) output[q++] = input[p++]!
          if (isInstant && isShort) {
            output[q++] = COLON
            output[q++] = ZERO
            output[q++] = ZERO
          }
        } else {
          const text = jsonOfTimestamp(input.toString('utf8', start, end))
          if (text === null) return false
          q = putText(output, q, text)
        }
        p = end + 1
        break
      }
      case FIELD_KIND.date: {
        const end = endOfField(source, p)
        if (input[p + 4] === DASH) {
          while (p < end) output[q++] = input[p++]!
          p++
          break
        }
        const text = jsonOfDate(input.toString('utf8', start, end))
        if (text === null) return false
        q = putText(output, q, text)
        p = end + 1
        break
      }
      case FIELD_KIND.base64: {
        const end = endOfField(source, p)
        q = putBase64(output, q, input, p, end)
        p = end + 1
        break
      }
      case FIELD_KIND.unseen:
        p = endOfField(source, p) + 1
        break
      case FIELD_KIND.someJson: {
        const end = endOfField(source, p)
        const text = input.toString('utf8', start, end)
        if (text.trim() === 'null') return false
        q = putText(output, q, text)
        p = end + 1
        break
      }
    }
    if (quoted) output[q++] = QUOTE
  }
  for (let i = 0; i < last.length; i++) output[q++] = last[i]!
  source.at = p
  target.length = q
  return true
}

/** The rules of `JSON.stringify`, which are PostgreSQL's too. */
function putEscaped(output: Buffer, at: number, byte: number): number {
  return putText(output, at, JSON.stringify(String.fromCharCode(byte)).slice(1, -1))
}

/** Base64 with padding, of the bytes from `start` to `end`. */
export function putBase64(output: Buffer, at: number, input: Uint8Array, start: number, end: number): number {
  let q = at
  for (let p = start; p < end; p += 3) {
    const left = end - p
    const bits = (input[p]! << 16) | ((left > 1 ? input[p + 1]! : 0) << 8) | (left > 2 ? input[p + 2]! : 0)
    output[q++] = BASE64[bits >> 18]!
    output[q++] = BASE64[(bits >> 12) & 63]!
    output[q++] = left > 1 ? BASE64[(bits >> 6) & 63]! : EQUALS
    output[q++] = left > 2 ? BASE64[bits & 63]! : EQUALS
  }
  return q
}
