/** An exact decimal number: `digits` × 10^-`scale`. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/
/** Limit of digits, which is above that of the scalar Decimal. Larger results are rejected. */
const MOST_DIGITS = 2000

/**
 * Parses a decimal number such as `-1.5e3`.
 * @returns `null` when the text is no number, or has more than 2000 digits or an exponent of that size
 */
export function toDecimal(text: string): Decimal | null {
  const match = text.length > MOST_DIGITS ? null : NUMBER.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return null
  const scale = fraction.length - Number(exponent)
  if (Math.abs(scale) > MOST_DIGITS) return null
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

/**
 * Compares two numbers by value.
 * @returns a negative number if `a` is smaller, 0 if they are equal, else a positive one
 */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [left, right] = aligned(a, b)
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * Calculates with exact results, except for quotients, which have twenty decimal places.
 * @returns `null`: a division by zero, or the result has too many digits
 */
export function calculate(operator: '+' | '-' | '*' | '/' | '%', a: Decimal, b: Decimal): Decimal | null {
  const result = apply(operator, a, b)
  return result !== null && result.scale <= MOST_DIGITS && isShort(result.digits) ? result : null
}

function apply(operator: '+' | '-' | '*' | '/' | '%', a: Decimal, b: Decimal): Decimal | null {
  if (operator === '*') return { digits: a.digits * b.digits, scale: a.scale + b.scale }
  const [left, right] = aligned(a, b)
  const scale = Math.max(a.scale, b.scale)
  if (operator === '+') return { digits: left + right, scale }
  if (operator === '-') return { digits: left - right, scale }
  if (right === 0n) return null
  if (operator === '%') return { digits: left % right, scale }
  return { digits: (left * 10n ** QUOTIENT_PLACES) / right, scale: Number(QUOTIENT_PLACES) }
}

const QUOTIENT_PLACES = 20n

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint] {
  const scale = Math.max(a.scale, b.scale)
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale)]
}

const BITS_PER_DIGIT = 3.33
function isShort(digits: bigint): boolean {
  return BigInt.asIntN(Math.ceil(MOST_DIGITS * 2 * BITS_PER_DIGIT), digits) === digits
}

/** Returns the number in decimal notation, with `scale` digits after the point: `12.50`. */
export function decimalText({ digits, scale }: Decimal): string {
  if (scale <= 0) return String(digits * 10n ** BigInt(-scale))
  const sign = digits < 0n ? '-' : ''
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  return `${sign}${all.slice(0, -scale)}.${all.slice(-scale)}`
}
