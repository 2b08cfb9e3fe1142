/** So many digits are exact in a double, whatever they are. */
const SAFE_DIGITS = 15
const WORD = 4_294_967_296

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

  /** @param digits decimal ones, with or without a minus in front @throws RangeError for anything else */
  setDigits(index: number, digits: string): void {
    if (!DIGITS.test(digits)) throw new RangeError('is no number of digits alone')
    if (digits.length <= SAFE_DIGITS) this.setNumber(index, Number(digits))
    else this.setBigInt(index, BigInt(digits))
  }

  /** The words above the second repeat the sign. */
  #extend(at: number, isNegative: boolean): void {
    if (this.#width === 2 || !isNegative) return
    this.words[at + 2] = -1
    this.words[at + 3] = -1
  }
}

const DIGITS = /^-?\d+$/
