const ZERO = 48
const MINUS = 45
const POINT = 46
const MOST_MICROS = 100_000

/**
 * Returns the number of days from 1970-01-01 to a date of the proleptic Gregorian calendar.
 * @param year astronomical year: 0 is 1 BC
 * @param month from 1
 */
export function daysOf(year: number, month: number, day: number): number {
  // Years that begin in March have their leap day last (H. Hinnant, "days_from_civil").
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** Reads a two-digit number at a position of a text. @returns NaN if either character is not a digit */
export function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO
  const ones = text.charCodeAt(at + 1) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/**
 * Returns the position after the date with which a text begins, such as `2026-01-31` or `12026-01-31`.
 * @throws RangeError if the text does not begin with a date
 */
export function dayEnd(text: string): number {
  for (let at = 4; at < text.length; at++)
    if (text.charCodeAt(at) === MINUS && text.charCodeAt(at + 3) === MINUS) return at + 6
  throw new RangeError(NO_DAY)
}

/**
 * Converts the date with which a text begins to days since 1970-01-01. A text that ends with `BC` is before year 1.
 * @param end position after the date, from `dayEnd`
 * @throws RangeError for an invalid date
 */
export function daysAt(text: string, end: number): number {
  const given = end === 10 ? twoDigits(text, 0) * 100 + twoDigits(text, 2) : longYear(text.slice(0, end - 6))
  // `0044-03-15 BC`
  const year = text.endsWith('BC') ? 1 - given : given
  const days = daysOf(year, twoDigits(text, end - 5), twoDigits(text, end - 2))
  if (Number.isNaN(days)) throw new RangeError(NO_DAY)
  return days
}

function longYear(text: string): number {
  return /^\d{5,}$/.test(text) ? Number(text) : Number.NaN
}

const NO_DAY = 'is no day of the calendar'

/**
 * Converts a time of day such as `12:30:00` at a position of a text to seconds since midnight.
 * @throws RangeError if there is no time
 */
export function secondsAt(text: string, at: number): number {
  const seconds = twoDigits(text, at) * 3600 + twoDigits(text, at + 3) * 60 + twoDigits(text, at + 6)
  if (Number.isNaN(seconds)) throw new RangeError('is no time of day')
  return seconds
}

/** Returns the position after a fraction of a second such as `.123456`. Without a fraction, it returns `at`. */
export function fractionEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== POINT) return at
  let end = at + 1
  while (text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= ZERO + 9) end++
  return end
}

/**
 * Converts a fraction of a second such as `.123456` to microseconds. Digits after the sixth are dropped.
 * @param at position of the decimal point
 * @param end position after the last digit
 */
export function microsAt(text: string, at: number, end: number): number {
  let micros = 0
  let unit = MOST_MICROS
  for (let digit = at + 1; digit < end && unit >= 1; digit++) {
    micros += (text.charCodeAt(digit) - ZERO) * unit
    unit /= 10
  }
  return micros
}
