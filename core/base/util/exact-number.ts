import { randomUUID } from 'node:crypto'

/**
 * A number of a JSON text or GraphQL document that a double cannot represent exactly, kept as text:
 * `12345678901234567890`, `0.1234567890123456789`, `1e400`. Scalars with enough precision (Decimal, BigInt) accept its
 * text; the others reject it.
 */
export class ExactNumber {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }

  /** Returns the digits as a string, except inside {@link writeJson}: `JSON.stringify` cannot write a number from its text. */
  toJSON(): string {
    if (!writing) return this.#text
    met = true
    return MARK + this.#text
  }
}

/** Prefix of the strings that stand for numbers during parsing and writing. It is random, so that clients cannot forge it. */
const MARK = `\u0001${randomUUID()}:`
const MARKED = new RegExp(`"\\\\u0001${MARK.slice(1)}([^"]*)"`, 'g')
let writing = false
let met = false

/**
 * Writes JSON like `JSON.stringify`, but an {@link ExactNumber} as a number with all its digits.
 * @param space indentation, as in `JSON.stringify`
 */
export function writeJson(value: unknown, space?: number): string {
  writing = true
  met = false
  try {
    const text = JSON.stringify(value, null, space)
    return met ? text.replace(MARKED, '$1') : text
  } finally {
    writing = false
  }
}

/**
 * Converts the text of a number (a Decimal or BigInt) to a number. A list is converted item by item; any other value is
 * returned unchanged.
 */
export function textToNumbers(value: unknown): unknown {
  if (typeof value === 'string') return numberOf(value)
  return Array.isArray(value) ? value.map(textToNumbers) : value
}

const DOUBLE_DIGITS = 15
const SMALLEST_NORMAL = 2.2250738585072014e-308

/**
 * Converts a number token of JSON or GraphQL to a double, or to an {@link ExactNumber} if a double would lose digits.
 * @param zeros `true`: a fraction with trailing zeros, such as `1.10`, also becomes an {@link ExactNumber}
 */
export function numberOf(token: string, zeros = false): number | ExactNumber {
  const value = Number(token)
  return holds(value, token) && !(zeros && ENDS_IN_ZEROS.test(token)) ? value : new ExactNumber(token)
}

/**
 * Converts an {@link ExactNumber} that only had to keep trailing zeros (`1.10`) to a double. Returns any other value
 * unchanged.
 */
export function withoutZeros(value: unknown): unknown {
  return value instanceof ExactNumber ? numberOf(String(value)) : value
}

const ENDS_IN_ZEROS = /\.\d*0(?:[eE]|$)/

function holds(value: number, token: string): boolean {
  const [mantissa = token] = token.split(/[eE]/)
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '').length
  if (digits === 0) return true
  if (!Number.isFinite(value) || Math.abs(value) < SMALLEST_NORMAL) return false
  if (digits <= DOUBLE_DIGITS) return true
  // Above 2^53, two different integers can be the same double, even when it prints like one of them.
  return String(value) === token && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

/** Matches a number that is long or has an exponent. Few requests contain one; for all others this test is the only cost. */
const SUSPECT = /[:,[\s]-?\d(?:[\d.]{15}|[\d.]*[eE])/
const SUSPECT_OR_ZEROS = /(?:^|[:,[\s])-?\d(?:[\d.]{15}|[\d.]*[eE]|\d*\.\d*0(?!\d))/
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const QUOTE = 34
const MINUS = 45
const ZERO = 48
const NINE = 57
const BACKSLASH = 92

/**
 * Parses JSON like `JSON.parse`, but without loss of digits: a number that a double cannot represent exactly becomes an
 * {@link ExactNumber}.
 * @param zeros `true`: a fraction with trailing zeros, such as `1.10`, also becomes an {@link ExactNumber}
 * @throws SyntaxError as `JSON.parse`
 */
export function parseJson(text: string, zeros = false): unknown {
  const value: unknown = JSON.parse(text)
  if (!(zeros ? SUSPECT_OR_ZEROS : SUSPECT).test(text)) return value
  const marked = markNumbers(text, zeros)
  if (marked === null) return value
  return JSON.parse(marked, (_key, member: unknown) =>
    typeof member === 'string' && member.startsWith(MARK) ? new ExactNumber(member.slice(MARK.length)) : member,
  )
}

/** @param text well-formed JSON @returns `null` when a double holds every number */
function markNumbers(text: string, zeros: boolean): string | null {
  let result = ''
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      for (at++; text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      NUMBER.lastIndex = at
      const token = NUMBER.exec(text)![0]
      if (numberOf(token, zeros) instanceof ExactNumber) {
        result += `${text.slice(copied, at)}${JSON.stringify(MARK + token)}`
        copied = at + token.length
      }
      at += token.length - 1
    }
  }
  return copied === 0 ? null : result + text.slice(copied)
}
