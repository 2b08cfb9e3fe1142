import { randomUUID } from 'node:crypto'

/**
 * A number of a JSON text or of a document that no double holds: `12345678901234567890`, `0.1234567890123456789`,
 * `1e400`. It keeps its text; scalars that can hold it take that, the others refuse it.
 */
export class ExactNumber {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }

  /** A string with the same digits, unless {@link writeJson} writes: JavaScript has no way to give it a number. */
  toJSON(): string {
    if (!writing) return this.#text
    met = true
    return MARK + this.#text
  }
}

/** What a client cannot write, because it cannot know it. */
const MARK = `\u0001${randomUUID()}:`
const MARKED = new RegExp(`"\\\\u0001${MARK.slice(1)}([^"]*)"`, 'g')
let writing = false
let met = false

/** `JSON.stringify` that writes an {@link ExactNumber} as the number it is. @param space as `JSON.stringify` */
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

/** Converts a text that holds a number (Decimal, BigInt) to a number, and a list item by item. Other values stay as they are. */
export function textToNumbers(value: unknown): unknown {
  if (typeof value === 'string') return numberOf(value)
  return Array.isArray(value) ? value.map(textToNumbers) : value
}

const DOUBLE_DIGITS = 15
const SMALLEST_NORMAL = 2.2250738585072014e-308

/**
 * The number that a token of JSON or GraphQL means: a double where that loses nothing.
 * @param zeros a fraction that ends in zeros loses them in a double, too: `1.10` is an {@link ExactNumber}
 */
export function numberOf(token: string, zeros = false): number | ExactNumber {
  const value = Number(token)
  return holds(value, token) && !(zeros && ENDS_IN_ZEROS.test(token)) ? value : new ExactNumber(token)
}

/** The double that an {@link ExactNumber} is equal to, where only its zeros are lost; any other value as it is. */
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
  // Beyond 2^53 a double does not tell which of two integers was written, even where it prints the same.
  return String(value) === token && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

/** Where a number stands that is long or has an exponent. Hardly any request has one, and this is all it pays. */
const SUSPECT = /[:,[\s]-?\d(?:[\d.]{15}|[\d.]*[eE])/
const SUSPECT_OR_ZEROS = /(?:^|[:,[\s])-?\d(?:[\d.]{15}|[\d.]*[eE]|\d*\.\d*0(?!\d))/
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const QUOTE = 34
const MINUS = 45
const ZERO = 48
const NINE = 57
const BACKSLASH = 92

/**
 * `JSON.parse` that loses no digit: a number that a double does not hold is an {@link ExactNumber}.
 * @param zeros as {@link numberOf}
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
