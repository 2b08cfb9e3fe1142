import { refuse } from './semantic-scalar.ts'

const NUMBER = '-?\\d{1,9}'
const ISO = new RegExp(
  `^P(?=.)(?:(${NUMBER})W|(?:(${NUMBER})Y)?(?:(${NUMBER})M)?(?:(${NUMBER})D)?` +
    `(?:T(?=.)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}(?:\\.\\d{1,9})?S)?)?)$`,
)
const WORD = new RegExp(
  `^(${NUMBER}) (?:(years?)|(mons?|months?)|(weeks?)|(days?)|(hours?)|(mins?|minutes?)|(secs?|seconds?))(?: |$)`,
)
const CLOCK = /^-?\d{1,9}:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/
const MOST_CHARACTERS = 100
/** Limit of months and of days that an interval of the database can hold. */
const MOST = 2 ** 31 - 1

/**
 * Checks a duration from a client, in ISO 8601 or in the format of PostgreSQL, and returns it unchanged. It must be
 * within the limits of PostgreSQL's type interval.
 * @throws Error if the value is no duration within these limits
 */
export function parseDuration(value: unknown): string {
  if (typeof value === 'string' && value.length <= MOST_CHARACTERS && (isIso(value) || isInterval(value))) return value
  throw refuse({ name: 'Duration', example: '"PT1H30M" or "1 day 02:30:00"' }, 'a length of time', value)
}

function isIso(text: string): boolean {
  const [, weeks, years, months, days] = (ISO.exec(text) ?? []).map(Number)
  if (weeks === undefined) return false
  return fits(years || 0, months || 0, weeks || 0, days || 0)
}

/** Tests for `1 year 2 mons -3 days 04:05:06`: each unit at most once, and either a clock time or units of time. */
function isInterval(text: string): boolean {
  const units = new Map<number, number>()
  let rest = text
  for (let word = WORD.exec(rest); word !== null; word = WORD.exec(rest)) {
    const unit = word.findIndex((part, index) => index > 1 && part !== undefined)
    if (units.has(unit)) return false
    units.set(unit, Number(word[1]))
    rest = rest.slice(word[0].length)
  }
  const isTimed = [6, 7, 8].some((unit) => units.has(unit))
  if (rest === '' ? units.size === 0 || text.endsWith(' ') : isTimed || !CLOCK.test(rest)) return false
  const [years = 0, months = 0, weeks = 0, days = 0] = [2, 3, 4, 5].map((unit) => units.get(unit) ?? 0)
  return fits(years, months, weeks, days)
}

function fits(years: number, months: number, weeks: number, days: number): boolean {
  return Math.abs(years * 12 + months) <= MOST && Math.abs(weeks * 7 + days) <= MOST
}
