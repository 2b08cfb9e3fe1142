import { showValue } from './scalar-text.ts'

/** Parsers of Date, Time and DateTime: calendar-valid ISO 8601, normalised, fractions kept digit by digit. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?$/
const ZONED = /^(.*?)(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)?$/i
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isCalendarDate(text: string): boolean {
  const match = DATE.exec(text)
  if (match === null) return false
  const year = Number(match[1])
  const month = Number(match[2])
  const day = Number(match[3])
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return year > 0 && day > 0 && day <= (MONTH_DAYS[month - 1] ?? 0) + (leap ? 1 : 0)
}

/** `HH:MM:SS[.fraction]`, or `null`. */
function normaliseTime(text: string): string | null {
  const match = TIME.exec(text)
  if (match === null || Number(match[1]) > 23 || Number(match[2]) > 59 || Number(match[3] ?? 0) > 59) return null
  return `${match[1]}:${match[2]}:${match[3] ?? '00'}${match[4] ?? ''}`
}

/** `YYYY-MM-DD`. */
export function parseDate(value: unknown): string {
  if (typeof value === 'string' && isCalendarDate(value)) return value
  throw new Error(`Date must be a day of the calendar as "YYYY-MM-DD", not ${showValue(value)}`)
}

/** `HH:MM:SS[.fraction]`. */
export function parseTime(value: unknown): string {
  const time = typeof value === 'string' ? normaliseTime(value) : null
  if (time !== null) return time
  throw new Error(`Time must be "HH:MM", "HH:MM:SS" or "HH:MM:SS.fff", not ${showValue(value)}`)
}

/**
 * UTC with `+00:00` and the fraction as given. A value without a zone is UTC; a date alone is its first instant. UTC
 * also makes the text mean the same in a column without time zone, where PostgreSQL would drop the offset.
 */
export function parseDateTime(value: unknown): string {
  const utc = typeof value === 'string' && value.length <= 40 ? toUtc(value) : null
  if (utc !== null) return utc
  throw new Error(`DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not ${showValue(value)}`)
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
  // Date.parse knows milliseconds only: shift whole minutes, and carry seconds and fraction over as text.
  const shifted = new Date(Date.parse(`${date}T${time.slice(0, 5)}Z`) - offset * 60_000)
  const year = shifted.getUTCFullYear()
  if (year < 1 || year > 9999) return null
  return `${shifted.toISOString().slice(0, 16)}${time.slice(5)}+00:00`
}
