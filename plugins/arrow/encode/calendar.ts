const ZERO = 48
const MICROS_IN_SECOND = 1_000_000

/** Days from 1970-01-01 to a day of the proleptic Gregorian calendar. @param year 0 is 1 BC */
export function daysOf(year: number, month: number, day: number): number {
  // Years that begin in March have their leap day last (H. Hinnant, "days_from_civil").
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** Two digits at a place of a text; NaN where there are none. */
export function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO
  const ones = text.charCodeAt(at + 1) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

const DAY = /^(\d{4,})-(\d\d)-(\d\d)/

/**
 * The day that a text begins with: `2026-01-31`, `12026-01-31`.
 * @param isBefore the text ends with `BC`
 * @returns days since 1970-01-01, and where the day ends
 * @throws RangeError
 */
export function readDay(text: string, isBefore: boolean): { readonly days: number; readonly end: number } {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  if (text[4] === '-' && !isBefore) {
    const days = text[7] === '-' ? daysOf(year, twoDigits(text, 5), twoDigits(text, 8)) : Number.NaN
    if (!Number.isNaN(days)) return { days, end: 10 }
  }
  const found = DAY.exec(text)
  if (found === null) throw new RangeError('is no day of the calendar')
  const [whole, years, month, day] = found
  return { days: daysOf(isBefore ? 1 - Number(years) : Number(years), Number(month), Number(day)), end: whole.length }
}

/**
 * The time of day at a place of a text: `12:30:00`, `12:30:00.123456`.
 * @returns seconds, microseconds behind them, and where it ends
 * @throws RangeError
 */
export function readTimeOfDay(
  text: string,
  at: number,
): { readonly seconds: number; readonly micros: number; readonly end: number } {
  const seconds = twoDigits(text, at) * 3600 + twoDigits(text, at + 3) * 60 + twoDigits(text, at + 6)
  if (Number.isNaN(seconds)) throw new RangeError('is no time of day')
  let end = at + 8
  let micros = 0
  if (text[end] === '.') {
    let unit = MICROS_IN_SECOND
    for (end += 1; end < text.length; end++) {
      const digit = text.charCodeAt(end) - ZERO
      if (digit < 0 || digit > 9) break
      unit /= 10
      // Digits behind the sixth are less than a microsecond.
      if (unit >= 1) micros += digit * unit
    }
  }
  return { seconds, micros, end }
}
