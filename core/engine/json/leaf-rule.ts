import type { LeafRule } from '../../contract/prepared-stream.ts'
import type { NamedType } from '../../schema/model.ts'
import { isDayOfYear } from '../../schema/scalar-time.ts'
import { scalarOf } from '../../schema/scalars.ts'
import { isArrayText } from './json-text.ts'

const QUOTE = 34
const INT = /^-?\d{1,9}$/
const NUMBER = /^-?\d/
const INT_TEXT = /^"-?\d{1,18}"$/
const DECIMAL_TEXT = /^"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"$/
/** A UUID in the forms that databases accept. */
const UUID_TEXT = /^"(?:(?:[\da-f]{4}-?){7}[\da-f]{4}|\{(?:[\da-f]{4}-?){7}[\da-f]{4}\})"$/i
const TIME_TEXT =
  /^"(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?|24:00(?::00)?)(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?"$/i
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d){0,2})?`
/** Dates and times as databases write them, and as documents contain them. */
const DATE_TEXT = /^"(?:-?infinity|(\d{4,7})-(\d\d)-(\d\d)( BC)?)"$/
const DATETIME_TEXT = new RegExp(String.raw`^"(?:-?infinity|(\d{4,6})-(\d\d)-(\d\d)(?:[T ]${CLOCK})?( BC)?)"$`, 'i')
const INT_MAX = 2147483647
const INT_MIN = -2147483648
const BIGINT_MAX = 9223372036854775807n
const BIGINT_MIN = -9223372036854775808n

/**
 * Returns the function that checks a scalar or enum value in a response. It returns the JSON to send, or `null` for an
 * invalid value.
 * @returns `null`: any JSON is valid, or the scalar has a `serialize` function
 */
export function leafRule(named: NamedType): LeafRule | null {
  if (named.kind === 'enum') {
    const names = new Set(named.values.map(({ name }) => JSON.stringify(name)))
    return (token) => (names.has(token) ? token : null)
  }
  if (named.kind !== 'scalar' || named.codec?.serialize !== undefined) return null
  if (named.base === 'JSON') return scalarOf(named).group === 'vector' ? vector : null
  return RULES[named.base] ?? null
}

const RULES: Readonly<Record<string, LeafRule>> = {
  Int: int32,
  Float: (token) => (NUMBER.test(token) && Number.isFinite(Number(token)) ? token : null),
  Boolean: (token) => (token === 'true' || token === 'false' ? token : null),
  Decimal: (token) => {
    const text = NUMBER.test(token) ? `"${token}"` : token
    return DECIMAL_TEXT.test(text) ? text : null
  },
  BigInt: int64,
  ID: (token) => (token === 'true' || token === 'false' ? null : text(token)),
  String: text,
  UUID: (token) => (UUID_TEXT.test(token) ? token : null),
  DateTime: (token) => (isDay(DATETIME_TEXT.exec(token)) ? token : null),
  Date: (token) => (isDay(DATE_TEXT.exec(token)) ? token : null),
  Time: (token) => (TIME_TEXT.test(token) ? token : null),
}

function int32(token: string): string | null {
  if (INT.test(token)) return token
  const value = NUMBER.test(token) ? Number(token) : Number.NaN
  return Number.isInteger(value) && value <= INT_MAX && value >= INT_MIN ? String(value) : null
}

function int64(token: string): string | null {
  if (INT_TEXT.test(token)) return token
  const digits = /^"?([+-]?\d{1,30})(?:\.0+)?"?$/.exec(token)?.[1]
  if (digits === undefined) return null
  const value = BigInt(digits)
  return value <= BIGINT_MAX && value >= BIGINT_MIN ? `"${value}"` : null
}

/** Accepts a JSON list. The column's type ensures that its items are valid numbers. */
function vector(token: string): string | null {
  return isArrayText(token) ? token : null
}

/** Tests whether a date exists. Dates with unusual years were read by the database, and are accepted. */
function isDay(match: RegExpExecArray | null): boolean {
  if (match === null) return false
  const [, year, month, day, era] = match
  if (year === undefined || year.length > 4 || era !== undefined) return true
  return isDayOfYear(Number(year), Number(month), Number(day))
}

/** Tests whether a rule of {@link leafRule} accepts every string, so that strings need no check. */
export function takesStrings(rule: LeafRule): boolean {
  return rule === text
}

/** Converts a number or boolean to a string; `null` for an object or a list. */
function text(token: string): string | null {
  if (token.charCodeAt(0) === QUOTE) return token
  return token === 'true' || token === 'false' || NUMBER.test(token) ? `"${token}"` : null
}
