/** Number of decimal digits that a double represents exactly. */
const SAFE_DIGITS = 15
const WORD = 4_294_967_296
const ZERO = 48
const MINUS = 45
const POINT = 46
const POWERS: readonly number[] = Array.from({ length: SAFE_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

/**
 * A buffer of 64-bit or 128-bit integers for Arrow, in two's complement, least significant 32-bit word first. It writes
 * values that fit a double without a BigInt, which is ten times faster.
 */
export class WideIntegers {
  readonly words: Int32Array
  readonly #width: number

  /** @param width number of words per integer */
  constructor(count: number, width: 2 | 4) {
    this.words = new Int32Array(count * width)
    this.#width = width
  }

  /** @param value integer that a double represents exactly */
  setNumber(index: number, value: number): void {
    const at = index * this.#width
    this.words[at] = value | 0
    this.words[at + 1] = Math.floor(value / WORD)
    this.#extend(at, value < 0)
  }

  /** @throws RangeError for too many bits */
  setBigInt(index: number, value: bigint): void {
    const bits = this.#width * 32
    if (BigInt.asIntN(bits, value) !== value) throw new RangeError(`needs more than ${bits} bits`)
    const at = index * this.#width
    for (let word = 0; word < this.#width; word++)
      this.words[at + word] = Number(BigInt.asIntN(32, value >> BigInt(32 * word)))
  }

  /**
   * Writes a decimal as unscaled integer.
   * @param text digits, with an optional minus sign and decimal point
   * @param scale number of decimal places of the column
   * @throws RangeError for other text, more decimal places, or too many bits
   */
  setDecimal(index: number, text: string, scale: number): void {
    const small = text.length + scale <= SAFE_DIGITS ? smallDecimal(text, scale) : Number.NaN
    if (Number.isNaN(small)) this.setBigInt(index, largeDecimal(text, scale))
    else this.setNumber(index, small)
  }

  /** Fills the words above the second with the sign. */
  #extend(at: number, isNegative: boolean): void {
    if (this.#width === 2 || !isNegative) return
    this.words[at + 2] = -1
    this.words[at + 3] = -1
  }
}

/** @returns NaN for an invalid number or too many decimal places */
function smallDecimal(text: string, scale: number): number {
  const isNegative = text.charCodeAt(0) === MINUS
  const start = isNegative ? 1 : 0
  let value = 0
  let point = text.length
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === POINT && point === text.length && at > start) point = at
    else if (code < ZERO || code > ZERO + 9) return Number.NaN
    else value = value * 10 + code - ZERO
  }
  const missing = scale - Math.max(text.length - point - 1, 0)
  if (missing < 0 || text.length === start || point === text.length - 1) return Number.NaN
  value *= POWERS[missing]!
  return isNegative ? -value : value
}

function largeDecimal(text: string, scale: number): bigint {
  const [, digits, fraction = ''] = NUMBER.exec(text) ?? []
  if (digits === undefined) throw new RangeError('is no number of digits alone')
  if (fraction.length > scale)
    throw new RangeError(`has ${fraction.length} digits behind its point, where ${scale} may be`)
  return BigInt(digits + fraction + '0'.repeat(scale - fraction.length))
}

const NUMBER = /^(-?\d+)(?:\.(\d+))?$/
