import { copyPlain, copyText, literal, putLiteral } from './copy-field.ts'
import type { JsonBuffer } from './json-buffer.ts'
import { endOfField, type PackedSource } from './packed-source.ts'
import { FIELD_KIND, type RowWriter } from './row-writer.ts'

const SEPARATOR = 0x01
const SPACE = 0x20
const QUOTE = 0x22
const PLUS = 0x2b
const DASH = 0x2d
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const LETTER_T = 0x54
const SMALL_T = 0x74
const BASE64 = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const EQUALS = 0x3d
const NULL = literal('null')
const TRUE = literal('true')
const FALSE = literal('false')

/**
 * Writes the next row to the target as JSON, directly from bytes to bytes. The source is a text in which the database
 * joined the fields of rows.
 * @returns `false`: the data is not as expected, a non-null field is NULL, or the target is full (then `target.isFull`)
 */
export function writePackedRow(template: RowWriter, source: PackedSource, target: JsonBuffer): boolean {
  const { writers, last } = template
  for (let w = 0; w < writers.length; w++) {
    if (source.at > source.end) return false
    const { before, kind, nullable, quoted, marked, required, names } = writers[w]!
    putLiteral(before, target)
    if (nullable) {
      if (source.bytes[source.at] === SEPARATOR) {
        if (required) return false
        putLiteral(NULL, target)
        source.at++
        continue
      }
      if (marked) source.at++
      if (quoted) target.putByte(QUOTE)
    }
    switch (kind) {
      case FIELD_KIND.plain:
        copyPlain(source, target)
        break
      case FIELD_KIND.text:
        copyText(source, target)
        break
      case FIELD_KIND.number:
        if (!isNumber(source)) return false
        copyPlain(source, target)
        break
      case FIELD_KIND.boolean:
        putLiteral(source.bytes[source.at] === SMALL_T ? TRUE : FALSE, target)
        source.at = endOfField(source, source.at) + 1
        break
      case FIELD_KIND.instant:
        if (!writeTimestamp(source, target, true)) return false
        break
      case FIELD_KIND.timestamp:
        if (!writeTimestamp(source, target, false)) return false
        break
      case FIELD_KIND.date:
        if (source.bytes[source.at + 4] === DASH) copyPlain(source, target)
        else if (!writeFrom(source, target, jsonOfDate)) return false
        break
      case FIELD_KIND.base64: {
        const end = endOfField(source, source.at)
        putBase64(source.bytes, source.at, end, target)
        source.at = end + 1
        break
      }
      case FIELD_KIND.unseen:
        source.at = endOfField(source, source.at) + 1
        break
      case FIELD_KIND.someJson:
        if (!writeFrom(source, target, notNull)) return false
        break
      case FIELD_KIND.int32:
        if (!isInt32(source)) return false
        copyPlain(source, target)
        break
      case FIELD_KIND.decimal:
        if (!isNumber(source)) return false
        copyPlain(source, target)
        break
      case FIELD_KIND.name:
        if (!names!.has(fieldText(source))) return false
        copyPlain(source, target)
        break
    }
    if (quoted) target.putByte(QUOTE)
  }
  putLiteral(last, target)
  return true
}

const notNull = (json: string): string | null => (json.trim() === 'null' ? null : json)

/** Converts the rest of the field to JSON by a function. @returns `false` when the function cannot convert it */
function writeFrom(source: PackedSource, target: JsonBuffer, toJson: (text: string) => string | null): boolean {
  const end = endOfField(source, source.at)
  const json = toJson(source.bytes.toString('utf8', source.at, end))
  if (json === null) return false
  target.put(json)
  source.at = end + 1
  return true
}

/** Tests for a JSON number, as opposed to `NaN` and `Infinity`. */
function isNumber({ bytes, at }: PackedSource): boolean {
  const first = bytes[at] === DASH ? bytes[at + 1]! : bytes[at]!
  return first >= ZERO && first <= NINE
}

/** Length up to which every integer fits into 32 bits. */
const SURELY_INT32 = 9

function isInt32(source: PackedSource): boolean {
  if (endOfField(source, source.at) - source.at <= SURELY_INT32) return true
  const value = Number(fieldText(source))
  return value === (value | 0)
}

/** Returns the text of a field whose characters are single bytes. */
function fieldText(source: PackedSource): string {
  return source.bytes.toString('latin1', source.at, endOfField(source, source.at))
}

/** Writes a timestamp as `to_json` does: `2021-01-31 12:00:00.5+00` → `2021-01-31T12:00:00.5+00:00`. */
function writeTimestamp(source: PackedSource, target: JsonBuffer, isInstant: boolean): boolean {
  const { bytes, at } = source
  const { length } = target
  if (bytes[at + 10] === SPACE && bytes[at + 4] === DASH) {
    copyPlain(source, target)
    if (target.isFull) return false
    target.bytes[length + 10] = LETTER_T
    if (!isInstant) return true
    // The separator was passed. The zone before it is a sign with two digits, or it ends with a colon and minutes.
    const zone = bytes[source.at - 4]
    if (zone === COLON) return true
    if (zone === PLUS || zone === DASH) {
      target.putByte(COLON)
      target.putByte(ZERO)
      target.putByte(ZERO)
      return true
    }
    source.at = at
    target.length = length
  }
  return writeFrom(source, target, jsonOfTimestamp)
}

/**
 * Writes the bytes of `input` from `start` to before `end` to the target as base64 with padding. If the target is too
 * small, only its `length` grows.
 */
export function putBase64(input: Uint8Array, start: number, end: number, target: JsonBuffer): void {
  const output = target.bytes
  let q = target.length
  for (let p = start; p < end; p += 3) {
    const left = end - p
    const bits = (input[p]! << 16) | ((left > 1 ? input[p + 1]! : 0) << 8) | (left > 2 ? input[p + 2]! : 0)
    output[q++] = BASE64[bits >> 18]!
    output[q++] = BASE64[(bits >> 12) & 63]!
    output[q++] = left > 1 ? BASE64[(bits >> 6) & 63]! : EQUALS
    output[q++] = left > 2 ? BASE64[bits & 63]! : EQUALS
  }
  target.length = q
}

const ISO = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:([+-]\d\d)((?::\d\d)*))?( BC)?$/
const ISO_DATE = /^\d{4,}-\d\d-\d\d( BC)?$/

/**
 * Converts PostgreSQL's text of a `timestamptz` or `timestamp` to the text in its JSON: also years of five digits, BC,
 * infinity, and all time zones.
 * @returns `null` when the `DateStyle` of the session is not ISO
 */
function jsonOfTimestamp(text: string): string | null {
  if (isInfinite(text)) return text
  const match = ISO.exec(text)
  if (match === null) return null
  const [, date, time, hours = '', rest = '', era = ''] = match
  return `${date}T${time}${hours}${hours !== '' && rest === '' ? ':00' : rest}${era}`
}

/** Converts PostgreSQL's text of a `date` in the same way. */
function jsonOfDate(text: string): string | null {
  return ISO_DATE.test(text) || isInfinite(text) ? text : null
}

function isInfinite(text: string): boolean {
  return text === 'infinity' || text === '-infinity'
}
