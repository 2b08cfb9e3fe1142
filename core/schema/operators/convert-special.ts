import { ExactNumber } from '../../base/util/exact-number.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import { compileCoercer } from '../coerce.ts'
import type { ObjectShape } from '../input-shape.ts'
import { parseFloat64 } from '../scalar-number.ts'
import { findScalar } from '../scalars.ts'
import { COUNTRIES, CURRENCIES, POSTAL_PATTERNS } from '../semantic/code-lists.ts'
import { isCidr } from '../semantic/network.ts'
import { escapeLike } from './operators-text.ts'

/**
 * Functions that check the operands of special operators, and convert them to parameters. They throw an Error for a
 * fault.
 */

type Convert = (value: unknown) => unknown

/**
 * Makes a function that accepts a text from a client if it matches the regular expression, and throws an Error
 * otherwise.
 * @param wants description of valid texts, after "the operand is"
 * @param turn converts a valid text for SQL; default: unchanged
 */
export function matching(form: RegExp, wants: string, turn: (text: string) => string = (text) => text): Convert {
  return (value) => {
    if (typeof value !== 'string' || !form.test(value)) throw new Error(`the operand is ${wants}`)
    return turn(value)
  }
}

export const lower = (text: string): string => text.toLowerCase()
export const prefix = (text: string): string => `${escapeLike(text)}%`
export const suffix = (text: string): string => `%${escapeLike(text)}`

/**
 * Makes a function that accepts one of the given words from a client and returns its value in `words`. It throws an
 * Error for another operand.
 */
export function oneOf(words: Readonly<Record<string, string>>): Convert {
  return (value) => {
    const found = typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : undefined
    if (found !== undefined) return found
    const names = Object.keys(words)
    throw new Error(`the operand is one of ${listNames(names)}.${didYouMean(String(value), names)}`.replace(/\.$/, ''))
  }
}

function listed(codes: ReadonlySet<string>, what: string): Convert {
  return (value) => {
    if (typeof value === 'string' && codes.has(value)) return value
    throw new Error(`the operand is ${what}`)
  }
}

export const country = listed(COUNTRIES, 'a country by ISO 3166-1 alpha-2, such as "DE"')
export const currency = listed(CURRENCIES, 'a currency by ISO 4217, such as "EUR"')

/**
 * Converts a country code from a client to a regular expression for the country's postal codes.
 * @throws Error for another country
 */
export function postalPattern(value: unknown): string {
  const pattern = typeof value === 'string' ? POSTAL_PATTERNS.get(value) : undefined
  if (pattern !== undefined) return `^(${pattern})$`
  throw new Error(`the operand is one of ${listNames([...POSTAL_PATTERNS.keys()].sort(), 60)}`)
}

/**
 * Makes a function that checks that an operand from a client is a valid value of a scalar with a rule of its own.
 * @param scalar name of the scalar, such as `IPAddress`
 */
export function semantic(scalar: string): Convert {
  const known = findScalar(scalar)!
  return (value) => known.parse(value)
}

/**
 * Checks that an operand from a client is an IP address or a network in CIDR notation, and returns it.
 * @throws Error if it is neither
 */
export function addressOrNetwork(value: unknown): unknown {
  if (typeof value === 'string' && (isCidr(value) || isAddress(value))) return value
  throw new Error('the operand is a network such as "10.0.0.0/8", or an address')
}

function isAddress(value: string): boolean {
  try {
    semantic('IPAddress')(value)
    return true
  } catch {
    return false
  }
}

/**
 * Makes a function that checks an operand from a client that is an input object. It throws an Error for an invalid one.
 * @param check returns the problem of an object of valid form; `null`: it is valid
 */
export function ofInput(
  shape: ObjectShape,
  check: (value: Readonly<Record<string, unknown>>) => string | null,
): Convert {
  const coerce = compileCoercer({ kind: 'named', name: shape.name, nullable: false }, shape)
  return (value) => {
    const object = coerce(value) as Readonly<Record<string, unknown>>
    const fault = check(object)
    if (fault !== null) throw new Error(fault)
    return Object.fromEntries(
      Object.entries(object).map(([key, item]) => [key, item instanceof ExactNumber ? String(item) : item]),
    )
  }
}

/** Makes a function that checks an operand `{ min, max }` from a client, of which at least one must be present. */
export function range(shape: ObjectShape): Convert {
  return ofInput(shape, ({ min, max }) => (min == null && max == null ? 'a range has a min, a max, or both' : null))
}

export const whole = (shape: ObjectShape): Convert => ofInput(shape, () => null)

/** Checks the radius in an operand that describes a circle. @returns the problem; `null`: the radius is valid */
export const radiusFault = ({ radiusKm }: Readonly<Record<string, unknown>>): string | null =>
  Number(parseFloat64(radiusKm)) < 0 ? 'radiusKm is not negative' : null

export const circle = (shape: ObjectShape): Convert => ofInput(shape, radiusFault)
