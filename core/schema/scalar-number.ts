import { ExactNumber, withoutZeros } from '../base/util/exact-number.ts'
import { showValue } from './scalar-text.ts'

/** Parsers of Int, Float, Decimal, BigInt. Decimal and BigInt stay texts throughout, so that no digit is lost. */

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,4}))?$/
const INTEGER = /^-?\d{1,40}$/
/** Number of digits that PostgreSQL's numeric always accepts, and that is cheap to parse. */
const MAX_DECIMAL_LENGTH = 1000
/** A double preserves this many significant digits. Beyond that it may differ from the client's number. */
const SAFE_DIGITS = 15
const INT_MAX = 2147483647
const INT_MIN = -2147483648
const BIGINT_MAX = 9223372036854775807n
const BIGINT_MIN = -9223372036854775808n

export function parseInt32(given: unknown): number {
  const value = withoutZeros(given)
  if (value instanceof ExactNumber && /^-?\d+$/.test(String(value))) {
    throw new Error(`Int cannot represent non 32-bit signed integer value: ${showValue(value)}`)
  }
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new Error(`Int cannot represent non-integer value: ${showValue(value)}`)
  }
  if (value > INT_MAX || value < INT_MIN) {
    throw new Error(`Int cannot represent non 32-bit signed integer value: ${showValue(value)}`)
  }
  return value
}

export function parseFloat64(given: unknown): number {
  const value = withoutZeros(given)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (value instanceof ExactNumber) {
    const double = Number(String(value))
    // A Float may be rounded to the nearest double, but not to zero or infinity.
    if (double !== 0 && Number.isFinite(double)) return double
    throw new Error(`Float cannot represent ${showValue(value)}: it is outside of what 64 bits can hold`)
  }
  throw new Error(`Float cannot represent non numeric value: ${showValue(value)}`)
}

/** Tests whether a text is a decimal number that PostgreSQL's type numeric accepts in any case. */
export function isDecimal(text: string): boolean {
  const match = text.length > MAX_DECIMAL_LENGTH ? null : DECIMAL.exec(text)
  return match !== null && Math.abs(Number(match[1] ?? 0)) <= MAX_DECIMAL_LENGTH
}

export function parseDecimal(value: unknown): string {
  if (value instanceof ExactNumber) return parseDecimal(String(value))
  if (typeof value === 'string') {
    if (!isDecimal(value)) {
      throw new Error(`Decimal must be a number as text, such as "12.50", not ${showValue(value)}`)
    }
    return value
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new Error(`Decimal must be a number as text, such as "12.50", not ${showValue(value)}`)
  }
  const text = String(value)
  if (!Number.isSafeInteger(value) && countDigits(text) > SAFE_DIGITS) {
    throw new Error(`Decimal cannot be exact as the JSON number ${text}: send it as a string`)
  }
  return text
}

/** Returns the number of significant digits in a number's shortest text. */
function countDigits(text: string): number {
  const mantissa = text.split('e')[0] ?? text
  return mantissa.replace(/[-.]/g, '').replace(/^0+/, '').length
}

export function parseBigInt(given: unknown): string {
  const value = withoutZeros(given)
  if (value instanceof ExactNumber) return parseBigInt(String(value))
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) throw new Error(`BigInt cannot represent non-integer value: ${showValue(value)}`)
    if (Number.isSafeInteger(value)) return String(value)
    throw new Error(`BigInt cannot be exact as the JSON number ${value}: send it as a string`)
  }
  if (typeof value !== 'string' || !INTEGER.test(value)) {
    throw new Error(`BigInt must be an integer, as a number or as text, not ${showValue(value)}`)
  }
  const integer = BigInt(value)
  if (integer > BIGINT_MAX || integer < BIGINT_MIN) {
    throw new Error(`BigInt cannot represent non 64-bit signed integer value: ${showValue(value)}`)
  }
  return integer.toString()
}
