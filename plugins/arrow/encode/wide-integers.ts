/** So many digits are exact in a double, whatever they are. */
const SAFE_DIGITS = 15
const WORD = 4_294_967_296
const ZERO = 48
const MINUS = 45
const POINT = 46
const POWERS: readonly number[] = Array.from({ length: SAFE_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

/**
 * Integers of several words of 32 bits, in two's complement, the lowest first. Most are small enough for a double, whose
 * words are ten times faster to write than a BigInt.
 */
export class WideIntegers {
  readonly words: Int32Array
  readonly #width: number

  /** @param width words of each */
  constructor(count: number, width: 2 | 4) {
    this.words = new Int32Array(count * width)
    this.#width = width
  }

  /** @param value an integer that a double holds exactly */
  setNumber(index: number, value: number): void {
    const at = index * this.#width
    this.words[at] = value | 0
    this.words[at + 1] = Math.floor(value / WORD)
    this.#extend(at, value < 0)
  }

  /** @throws RangeError when it has more bits */
  setBigInt(index: number, value: bigint): void {
    const bits = this.#width * 32
    if (BigInt.asIntN(bits, value) !== value) throw new RangeError(`needs more than ${bits} bits`)
    const at = index * this.#width
    for (let word = 0; word < this.#width; word++)
      this.words[at + word] = Number(BigInt.asIntN(32, value >> BigInt(32 * word)))
  }

  /**
   * A decimal number without its point.
   * @param text digits, with or without a minus in front and a point among them
   * @param scale digits behind the point of what is written
   * @throws RangeError for anything else, for more digits behind the point, and for more bits
   */
  setDecimal(index: number, text: string, scale: number): void {
    const small = text.length + scale <= SAFE_DIGITS ? smallDecimal(text, scale) : Number.NaN
    if (Number.isNaN(small)) this.setBigInt(index, largeDecimal(text, scale))
    else this.setNumber(index, small)
  }

  /** The words above the second repeat the sign. */
  #extend(at: number, isNegative: boolean): void {
    if (this.#width === 2 || !isNegative) return
    this.words[at + 2] = -1
    this.words[at + 3] = -1
  }
}

/** @returns NaN for what is none, or has more digits behind the point than there may be */
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
