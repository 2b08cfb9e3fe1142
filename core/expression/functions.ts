import type { Decimal } from './decimal.ts'
import { ExpressionFailure } from './expression-fault.ts'
import { daysBetween, yearsBetween } from './instant.ts'
import { areEqual, instantOf, numberOf, type Value } from './value.ts'

/**
 * Tests whether two values of an expression are equal. If one of them is data about the caller, an absent value is
 * equal to no value.
 */
export type Equality = (a: Value, b: Value) => boolean

/** A function that expressions may call. `least` and `most` limit the number of its arguments. */
export interface ExpressionFunction {
  readonly least: number
  readonly most: number
  /**
   * Computes the result of the function.
   * @param now time of the evaluation in milliseconds since 1970, the same for the whole expression
   * @param equal compares two values, for functions such as `contains`
   */
  readonly call: (args: readonly Value[], now: number, equal: Equality) => Value
}

const count = (value: number): Decimal => ({ digits: BigInt(value), scale: 0 })

function lengthOf([value]: readonly Value[]): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') {
    let length = 0
    for (const _ of value) length++
    return count(length)
  }
  if (Array.isArray(value)) return count(value.length)
  throw new ExpressionFailure('length() wants a text or a list')
}

/**
 * Tests whether a text contains another text, or a list contains an item. A `null` contains nothing.
 * @param equal compares the items of a list with `part`
 * @throws ExpressionFailure when `whole` is neither a text nor a list
 */
export function contains(whole: Value, part: Value, equal: Equality = areEqual): boolean {
  if (whole === null || whole === undefined) return false
  if (Array.isArray(whole)) return whole.some((item) => equal(item, part))
  if (typeof whole === 'string') return typeof part === 'string' && whole.includes(part)
  throw new ExpressionFailure('contains() and "in" want a text or a list')
}

function age([first, second]: readonly Value[], now: number, isBetween: boolean): Value {
  const from = instantOf(first)
  const to = isBetween ? instantOf(second) : { ms: now, nanoseconds: 0 }
  if (from !== null && to !== null) return count(isBetween ? daysBetween(from, to) : yearsBetween(from, to))
  const isAbsent = (value: Value) => value === null || value === undefined
  if (isAbsent(first) || (isBetween && isAbsent(second))) return null
  throw new ExpressionFailure('age() wants dates')
}

const DAY_MS = 86_400_000

/**
 * The built-in functions of expressions, by name: `contains`, `length`, `age`, `now`, … `matches` is not included: it
 * is part of the language, so that its pattern is compiled once.
 */
export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map<string, ExpressionFunction>([
  ['contains', { least: 2, most: 2, call: ([whole, part], _, equal) => contains(whole, part, equal) }],
  ['length', { least: 1, most: 1, call: lengthOf }],
  ['age', { least: 1, most: 2, call: (args, now) => age(args, now, args.length === 2) }],
  ['today', { least: 0, most: 0, call: (_, now) => new Date(Math.floor(now / DAY_MS) * DAY_MS) }],
  ['now', { least: 0, most: 0, call: (_, now) => new Date(now) }],
  ['is_string', { least: 1, most: 1, call: ([value]) => typeof value === 'string' }],
  ['is_number', { least: 1, most: 1, call: ([value]) => numberOf(value) !== null }],
  ['is_date', { least: 1, most: 1, call: ([value]) => instantOf(value) !== null }],
])
