import { ExactNumber } from '../base/util/exact-number.ts'
import { compareDecimals, type Decimal, toDecimal } from './decimal.ts'
import { compareInstants, type Instant, toInstant, toTimeOfDay } from './instant.ts'

export type { Decimal } from './decimal.ts'

/**
 * A value in an expression. `undefined` counts as `null`. Numbers are exact. Dates and times are texts in ISO 8601, or
 * a `Date` if the expression computed them (`now()`).
 */
export type Value = unknown

/** Converts a value to an exact number. @returns `null`: it is no number. Texts are no numbers: `"0123"` is not 123 */
export function numberOf(value: Value): Decimal | null {
  if (typeof value === 'number') return Number.isFinite(value) ? toDecimal(String(value)) : null
  if (typeof value === 'bigint') return { digits: value, scale: 0 }
  if (value instanceof ExactNumber) return toDecimal(String(value))
  return isDecimal(value) ? value : null
}

function isDecimal(value: Value): value is Decimal {
  return typeof value === 'object' && value !== null && typeof (value as Decimal).digits === 'bigint'
}

export function instantOf(value: Value): Instant | null {
  if (value instanceof Date) return { ms: value.getTime(), nanoseconds: 0 }
  return typeof value === 'string' ? toInstant(value) : null
}

/**
 * Compares two values for `<` and `>`: numbers by value, dates and times by time, other texts by UTF-16 code units.
 * @returns negative, 0 or positive; `null`: the values cannot be compared
 */
export function compareValues(a: Value, b: Value): number | null {
  const left = numberOf(a)
  if (left !== null) {
    const right = numberOf(b)
    return right === null ? null : compareDecimals(left, right)
  }
  const order = inTime(a, b, instantOf)
  if (order !== null) return order
  if (typeof a !== 'string' || typeof b !== 'string') return null
  return inTime(a, b, toTimeOfDay) ?? (a < b ? -1 : a > b ? 1 : 0)
}

function inTime<V>(a: V, b: V, read: (value: V) => Instant | null): number | null {
  const earlier = read(a)
  const later = earlier === null ? null : read(b)
  return earlier === null || later === null ? null : compareInstants(earlier, later)
}

/**
 * Tests whether two values are equal: numbers by value, dates and times by time. Two absent values are equal. Values of
 * different types never are, and neither are lists and objects.
 */
export function areEqual(a: Value, b: Value): boolean {
  const left = a ?? null
  const right = b ?? null
  if (left === null || right === null) return left === right
  if (typeof left === 'string' && typeof right === 'string' && left === right) return true
  if (typeof left === 'boolean') return left === right
  return compareValues(left, right) === 0
}

/**
 * Tests whether a value about the caller is equal to another one, as {@link areEqual}, except that two absent values
 * are not equal.
 */
export function areSame(a: Value, b: Value): boolean {
  return a !== null && a !== undefined && areEqual(a, b)
}
