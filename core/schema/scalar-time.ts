import { showValue } from './scalar-text.ts'

/**
 * Parsers of Date, Time and DateTime: valid ISO 8601, normalised, with all digits of fractions. They also accept
 * further texts that the database returns: `infinity`, `-infinity`, years before Christ (`0044-03-15 BC`) and years of
 * more than four digits, so that a client can send back any value that it has read.
 */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?$/
const ZONED = /^(.*?)(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)?$/i
/** A date in UTC as the database formats it. */
const FAR_DAY = /^(\d{4,7})-(\d{2})-(\d{2})( BC)?$/
const FAR_INSTANT = /^(\d{4,6}-\d{2}-\d{2})[Tt ](.*?)(?:Z|\+00(?::?00)?)?( BC)?$/i
const INFINITE = /^-?infinity$/
const DAY_ENDS = '24:00:00'
/** The last and first years that PostgreSQL stores. */
const LAST_YEAR = { day: 5_874_897, instant: 294_276 } as const
const FIRST_YEAR = 4713
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isCalendarDate(text: string): boolean {
  const match = DATE.exec(text)
  return match !== null && Number(match[1]) > 0 && isDayOfYear(Number(match[1]), Number(match[2]), Number(match[3]))
}

export function isDayOfYear(year: number, month: number, day: number): boolean {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day > 0 && day <= (MONTH_DAYS[month - 1] ?? 0) + (leap ? 1 : 0)
}

/** Tests for a day outside of the years 1 to 9999 that the database can store. */
function isFarDay(text: string, last: number): boolean {
  const match = FAR_DAY.exec(text)
  if (match === null) return false
  const year = Number(match[1])
  // The year before 1 is 1 BC. It counts as 0 and is a leap year.
  const [month, day] = [Number(match[2]), Number(match[3])]
  if (match[4] !== undefined) return year > 0 && year <= FIRST_YEAR && isDayOfYear(1 - year, month, day)
  return year > 9999 && match[1]?.[0] !== '0' && year <= last && isDayOfYear(year, month, day)
}

/** Returns `HH:MM:SS[.fraction]`, or `null` for an invalid time. */
function normaliseTime(text: string): string | null {
  const match = TIME.exec(text)
  if (match === null || Number(match[1]) > 23 || Number(match[2]) > 59 || Number(match[3] ?? 0) > 59) return null
  return `${match[1]}:${match[2]}:${match[3] ?? '00'}${match[4] ?? ''}`
}

/**
 * Checks a date from a client, and returns it as `YYYY-MM-DD`. A date outside the years 1 to 9999, or `infinity`, is accepted
 * in the format of PostgreSQL.
 * @throws Error if the value is no date
 */
export function parseDate(value: unknown): string {
  if (typeof value === 'string' && value.length <= 40) {
    if (isCalendarDate(value) || INFINITE.test(value) || isFarDay(value, LAST_YEAR.day)) return value
  }
  throw new Error(`Date must be a day of the calendar as "YYYY-MM-DD", not ${showValue(value)}`)
}

/**
 * Checks a time of day from a client, and returns it as `HH:MM:SS[.fraction]`. The end of a day is `24:00:00`.
 * @throws Error if the value is no time of day
 */
export function parseTime(value: unknown): string {
  if (value === DAY_ENDS) return value
  const time = typeof value === 'string' ? normaliseTime(value) : null
  if (time !== null) return time
  throw new Error(`Time must be "HH:MM", "HH:MM:SS" or "HH:MM:SS.fff", not ${showValue(value)}`)
}

/**
 * Checks a date and time from a client, and converts it to UTC with the offset `+00:00`. A value without a time zone is
 * taken as UTC, and a date alone as the start of that day. UTC also preserves the instant in a column without time
 * zone, where PostgreSQL drops the offset.
 * @throws Error if the value is no date with time
 */
export function parseDateTime(value: unknown): string {
  const utc = typeof value === 'string' && value.length <= 40 ? (toUtc(value) ?? farInstant(value)) : null
  if (utc !== null) return utc
  throw new Error(`DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not ${showValue(value)}`)
}

/** Parses an instant in UTC in the format of the database. Other offsets are rejected. */
function farInstant(text: string): string | null {
  if (INFINITE.test(text)) return text
  const [, date = '', clock = '', era = ''] = FAR_INSTANT.exec(text) ?? []
  const time = normaliseTime(clock)
  return time !== null && isFarDay(date + era.toUpperCase(), LAST_YEAR.instant)
    ? `${date}T${time}+00:00${era.toUpperCase()}`
    : null
}

function toUtc(text: string): string | null {
  const date = text.slice(0, 10)
  if (!isCalendarDate(date)) return null
  if (text.length === 10) return `${date}T00:00:00+00:00`
  const separator = text[10]
  if (separator !== 'T' && separator !== 't' && separator !== ' ') return null
  const match = ZONED.exec(text.slice(11))
  const time = match === null ? null : normaliseTime(match[1] ?? '')
  if (match === null || time === null) return null
  const hours = Number(match[4] ?? 0)
  const minutes = Number(match[5] ?? 0)
  if (hours > 15 || minutes > 59) return null
  const offset = (match[3] === '-' ? -1 : 1) * (hours * 60 + minutes)
  if (offset === 0) return `${date}T${time}+00:00`
  // Date.parse only supports milliseconds: it converts whole minutes, and seconds with their fraction are copied as text.
  const shifted = new Date(Date.parse(`${date}T${time.slice(0, 5)}Z`) - offset * 60_000)
  const year = shifted.getUTCFullYear()
  if (year < 1 || year > 9999) return null
  return `${shifted.toISOString().slice(0, 16)}${time.slice(5)}+00:00`
}
