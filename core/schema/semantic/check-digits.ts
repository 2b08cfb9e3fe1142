/** Check digits of codes that people copy by hand. Each function takes the whole code in upper case. */

/** Value of a character: 0 to 9, A = 10 … Z = 35. */
function digitOf(char: string): number {
  return Number.parseInt(char, 36)
}

/**
 * Tests the check digits of a code by ISO 7064 MOD 97-10: the remainder must be 1. Used for LEI, and for an IBAN with
 * its first four characters moved to the end.
 */
export function isMod97(code: string): boolean {
  let rest = 0
  for (const char of code) {
    const value = digitOf(char)
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97
  }
  return rest === 1
}

/** Tests the check digit of a code with the Luhn algorithm. A letter counts as two digits (A is 10), as in an ISIN. */
export function isLuhn(code: string): boolean {
  const digits = [...code].map((char) => String(digitOf(char))).join('')
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const weighed = i % 2 === 1 ? digit * 2 : digit
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}

const CUSIP_SIGNS = '*@#'

/**
 * Tests the check digit of a CUSIP (securities identifier) of nine characters: every second value is doubled, and the
 * digits are summed.
 */
export function isCusip(code: string): boolean {
  let sum = 0
  for (let i = 0; i < 8; i++) {
    const char = code[i]!
    const sign = CUSIP_SIGNS.indexOf(char)
    const value = (sign === -1 ? digitOf(char) : 36 + sign) * (i % 2 === 1 ? 2 : 1)
    sum += Math.floor(value / 10) + (value % 10)
  }
  return (10 - (sum % 10)) % 10 === Number(code[8])
}

const SEDOL_WEIGHTS = [1, 3, 1, 7, 3, 9, 1]

export function isSedol(code: string): boolean {
  return [...code].reduce((sum, char, i) => sum + digitOf(char) * SEDOL_WEIGHTS[i]!, 0) % 10 === 0
}

const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
/** Values of the letters A to Z in a VIN; I, O and Q are not allowed. */
const VIN_LETTERS = '12345678.12345.7.923456789'

/**
 * Tests the check digit of a vehicle identification number (VIN): the ninth character is the weighted sum of the others
 * modulo 11, X for 10 (49 CFR 565).
 */
export function isVin(code: string): boolean {
  let sum = 0
  for (let i = 0; i < 17; i++) {
    const char = code[i]!
    const value = /\d/.test(char) ? Number(char) : Number(VIN_LETTERS[char.charCodeAt(0) - 65])
    sum += value * VIN_WEIGHTS[i]!
  }
  const check = sum % 11
  return code[8] === (check === 10 ? 'X' : String(check))
}

/**
 * Tests the check digit of a shipping container number by ISO 6346: letters count from 10 without multiples of 11,
 * weighted by powers of two.
 */
export function isContainer(code: string): boolean {
  let sum = 0
  for (let i = 0; i < 10; i++) {
    const char = code[i]!
    let value = Number(char)
    if (Number.isNaN(value)) {
      value = digitOf(char)
      value += value > 30 ? 3 : value > 20 ? 2 : value > 10 ? 1 : 0
    }
    sum += value * 2 ** i
  }
  return (sum % 11) % 10 === Number(code[10])
}
