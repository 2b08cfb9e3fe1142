import type { FieldModel } from '../../core/doors/plugin.ts'
import type { Comparison, ObjectFunction } from './rule-tree.ts'

/** Operators on a field, combined by AND. */
type Leaf = Readonly<Record<string, string | number | boolean>>

/** Comparisons of an integer derived from a field, as filters on the field. The leaves are combined by OR; an empty list matches no row. */
interface Measure {
  readonly atLeast: (count: number) => readonly Leaf[]
  readonly atMost: (count: number) => readonly Leaf[]
  readonly exactly: (count: number) => readonly Leaf[]
}

const ANY: readonly Leaf[] = [{ _is_null: false }]
const NONE: readonly Leaf[] = []
const DAY_MS = 86_400_000
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z')
const LAST_DAY = Date.parse('9999-12-31T00:00:00Z')
/** Largest comparable length, because a LIKE pattern has at most 1,000 characters. */
const LONGEST = 999

/**
 * Returns the filter operators that a function in a rule, such as `length`, needs, to check that its field supports
 * them.
 */
export function functionOperators(name: ObjectFunction, { list }: Pick<FieldModel, 'list'>): readonly string[] {
  if (name === 'contains') return ['_contains']
  if (name !== 'length') return ['_lt', '_gte']
  return list ? ['_len_gte', '_len_lte', '_len_eq'] : ['_like', '_nlike']
}

/**
 * Converts a comparison in a rule, such as `age(object.born) >= 18`, to filters on the field that every database
 * supports.
 * @param number the value to compare with
 * @param since date from which years or days are counted, in milliseconds since 1970
 * @returns filters that are combined by OR; a row without a value matches none
 */
export function measured(
  name: Exclude<ObjectFunction, 'contains'>,
  operator: Exclude<Comparison, 'in'>,
  number: number,
  field: Pick<FieldModel, 'named' | 'list'>,
  since: number,
): readonly Leaf[] {
  const measure = name === 'length' ? lengthOf(field.list) : name === 'years' ? years(field, since) : days(field, since)
  const isWhole = Number.isInteger(number)
  switch (operator) {
    case '>=':
      return measure.atLeast(Math.ceil(number))
    case '>':
      return measure.atLeast(Math.floor(number) + 1)
    case '<=':
      return measure.atMost(Math.floor(number))
    case '<':
      return measure.atMost(Math.ceil(number) - 1)
    case '==':
      return isWhole ? measure.exactly(number) : NONE
    case '!=':
      return isWhole ? [...measure.atMost(number - 1), ...measure.atLeast(number + 1)] : ANY
  }
}

/** Filters on a date for a number of years, counted by birthdays like `yearsBetween` of the expression language. */
function years(field: Pick<FieldModel, 'named'>, now: number): Measure {
  const today = new Date(now)
  /** First date of birth of a person younger than `count` years. */
  const tooLate = (count: number): number => {
    const [year, month] = [today.getUTCFullYear() - count, today.getUTCMonth()]
    const last = new Date(dayOf(year, month + 1, 0)).getUTCDate()
    return dayOf(year, month, Math.min(today.getUTCDate(), last) + 1)
  }
  const before = (count: number): readonly Leaf[] => until(field, tooLate(count))
  const from = (count: number): readonly Leaf[] => starting(field, tooLate(count))
  return {
    atLeast: before,
    atMost: (count) => from(count + 1),
    exactly: (count) => both(before(count), from(count + 1)),
  }
}

/** Filters on a date for a number of whole days between two dates, in any order (`daysBetween`). */
function days(field: Pick<FieldModel, 'named'>, since: number): Measure {
  const day = Math.floor(since / DAY_MS)
  const within = (first: number, last: number): readonly Leaf[] =>
    both(starting(field, first * DAY_MS), until(field, (last + 1) * DAY_MS))
  return {
    atLeast: (count) =>
      count <= 0 ? ANY : [...until(field, (day - count + 1) * DAY_MS), ...starting(field, (day + count) * DAY_MS)],
    atMost: (count) => (count < 0 ? NONE : within(day - count, day + count)),
    exactly: (count) =>
      count < 0
        ? NONE
        : count === 0
          ? within(day, day)
          : [...within(day - count, day - count), ...within(day + count, day + count)],
  }
}

function lengthOf(isList: boolean): Measure {
  if (isList) {
    const at = (operator: string) => (count: number) => (count < 0 ? NONE : [{ [operator]: count }])
    return {
      atLeast: (count) => (count <= 0 ? ANY : [{ _len_gte: count }]),
      atMost: at('_len_lte'),
      exactly: at('_len_eq'),
    }
  }
  const characters = (count: number): string => {
    if (count > LONGEST) throw new Error(`length() of a field is compared with numbers up to ${LONGEST}`)
    return '_'.repeat(count)
  }
  return {
    atLeast: (count) => (count <= 0 ? ANY : [{ _like: `${characters(count)}%` }]),
    atMost: (count) => (count < 0 ? NONE : [{ _nlike: `${characters(count + 1)}%` }]),
    exactly: (count) => (count < 0 ? NONE : [{ _like: characters(count) }]),
  }
}

/** Combines two lists by AND. Each has at most one leaf here, and their operators differ. */
function both([left]: readonly Leaf[], [right]: readonly Leaf[]): readonly Leaf[] {
  return left === undefined || right === undefined ? NONE : [{ ...left, ...right }]
}

function until(field: Pick<FieldModel, 'named'>, ms: number): readonly Leaf[] {
  if (ms > LAST_DAY) return ANY
  return ms <= FIRST_DAY ? NONE : [{ _lt: textOf(field, ms) }]
}

function starting(field: Pick<FieldModel, 'named'>, ms: number): readonly Leaf[] {
  if (ms <= FIRST_DAY) return ANY
  return ms > LAST_DAY ? NONE : [{ _gte: textOf(field, ms) }]
}

function textOf({ named }: Pick<FieldModel, 'named'>, ms: number): string {
  const text = new Date(ms).toISOString()
  return named.kind === 'scalar' && named.base === 'Date' ? text.slice(0, 10) : text
}

/** Returns a day in milliseconds. `Date.UTC` maps the years 0 to 99 to the last century. A year outside of the range of Date becomes ±infinity. */
function dayOf(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  const ms = date.getTime()
  return Number.isNaN(ms) ? (year < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY) : ms
}
