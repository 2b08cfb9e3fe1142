import { escapedLiteral, type SqlFragment } from '../../../engine/sql/fragment.ts'

/**
 * Patterns of texts that PostgreSQL can cast to a point in time or a day: ISO 8601, and PostgreSQL's own output. Versions before 16 have
 * no cast without errors, and one invalid value in a document must not fail the statement.
 */

/** Days that exist in every year. */
const DAY = String.raw`(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`
/** Endings of leap years. The year before 1 is 1 BC, a leap year. */
const LEAP = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`
const LEAP_BC = String.raw`(?:\d\d(?:0[59]|[2468][159]|[13579][37])|(?:[02468][048]|[13579][26])01)`
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?`
const ZONE = String.raw`(?:[Zz]|[+-](?:0\d|1[0-4])(?::?[0-5]\d){0,2})?`
const TIME = `(?:[Tt ]${CLOCK}${ZONE})?`
/** In the first and last year of a point in time, a zone, or rounding to microseconds, may move it out of the range. */
const UTC = String.raw`[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:[Zz]|[+-]00(?::?00)?)`
/** Days of 4714 BC, in which the calendar begins. */
const FIRST_DAYS = String.raw`4714-(?:11-(?:2[4-9]|30)|12-(?:0[1-9]|[12]\d|3[01]))`
const FIRST_YEARS = String.raw`(?:[0-3]\d{3}|4[0-6]\d\d|470\d|471[0-3])`

/**
 * @param late years of more than four digits
 * @param lateLeap the digits that may stand before the last four of a leap year
 * @param ends more texts, in the first and last years
 */
function pattern(late: string, lateLeap: string, ends: string): SqlFragment {
  const since = `(?:(?:\\d{4}|${late})-${DAY}|(?:${lateLeap})?${LEAP}-02-29)${TIME}`
  const before = `(?:${FIRST_YEARS}-${DAY}|(?=${FIRST_YEARS})${LEAP_BC}-02-29)${TIME} BC`
  return escapedLiteral(`^(?:-?infinity|(?!0000)(?:${since}|${before}|${ends}))$`)
}

/** Regular expressions, as SQL literals, that match the texts which can be cast to the type without an error. */
export const TIME_PATTERNS: Readonly<Record<'timestamptz' | 'date', SqlFragment>> = {
  timestamptz: pattern(
    String.raw`[1-9]\d{4}|1\d{5}|2[0-8]\d{4}|29[0-3]\d{3}|294[01]\d\d|2942[0-6]\d|29427[0-5]`,
    String.raw`[1-9]|1\d|2[0-8]|29(?=[0-3]|4[01]|42[0-6]|427[0-5])`,
    `294276-(?:${DAY}|02-29)${UTC}|${FIRST_DAYS}${UTC} BC`,
  ),
  date: pattern(
    String.raw`[1-9]\d{4,5}|[1-4]\d{6}|5[0-7]\d{5}|58[0-6]\d{4}|587[0-3]\d{3}|5874[0-7]\d\d|58748[0-8]\d|587489[0-7]`,
    String.raw`[1-9]\d?|[1-4]\d\d|5[0-7]\d|58[0-6]|587(?=[0-3]|4[0-8])`,
    `${FIRST_DAYS}${TIME} BC`,
  ),
}
