import { isPromise } from '../../base/util/promise.ts'
import { compareDecimals, type Decimal, toDecimal } from '../../expression/decimal.ts'
import { compilePattern, workOfJob } from '../../expression/pattern/pattern.ts'
import type { Bounds, Checksum } from '../rules.ts'
import type { Check, CheckSite, Objector, RuleOf } from './check.ts'

/**
 * Compiles the rule `required`: the value must be present and not null. All other rules for a single value accept an
 * absent value.
 */

export const checkRequired = ({ message }: RuleOf<'required'>): Check => {
  const objection = { message: message ?? 'Field is required', context: { rule: 'required' }, below: [] }
  return ({ value }, object) => {
    if (value === null || value === undefined) object(objection)
  }
}

export function checkPattern({ value: source, message = 'Must match pattern' }: RuleOf<'pattern'>): Check {
  const pattern = compilePattern(source)
  const matches = (value: unknown): boolean | string => {
    if (typeof value !== 'string') return false
    try {
      return pattern.test(value, workOfJob())
    } catch {
      return 'Too long to be held to its pattern'
    }
  }
  return eachItem(matches, message, { rule: 'pattern', pattern: source })
}

/** Compiles the rule `length`, which limits the number of characters of a text or of items of a list. */
export function checkLength({ value: bounds, message }: RuleOf<'length'>): Check {
  const { min = 0, max = Number.POSITIVE_INFINITY } = bounds
  const objection = {
    message: message ?? `Length ${between(bounds)}`,
    context: { rule: 'length', ...bounds },
    below: [],
  }
  return ({ value }, object) => {
    if (value === null || value === undefined) return
    const length = lengthOf(value)
    if (length === null || length < min || length > max) object(objection)
  }
}

function lengthOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'string') return null
  let length = 0
  for (const _ of value) length++
  return length
}

export function checkRange({ value: bounds, message }: RuleOf<'range'>): Check {
  const min = decimalOf(bounds.min)
  const max = decimalOf(bounds.max)
  const isWithin = (value: unknown): boolean => {
    const number = decimalOf(value)
    if (number === null) return false
    return (min === null || compareDecimals(number, min) >= 0) && (max === null || compareDecimals(number, max) <= 0)
  }
  return eachItem(isWithin, message ?? `Value ${between(bounds)}`, { rule: 'range', ...bounds })
}

/** Parses a number. Decimal and BigInt arrive as text, so that no digit is lost. */
function decimalOf(value: unknown): Decimal | null {
  return typeof value === 'number' || typeof value === 'string' ? toDecimal(String(value)) : null
}

function between({ min, max }: Bounds): string {
  if (min !== undefined && max !== undefined) return `between ${min} and ${max}`
  return min === undefined ? `at most ${max}` : `at least ${min}`
}

export function checkEnum({ value: values, message }: RuleOf<'enum'>): Check {
  const allowed = new Set<unknown>(values)
  return eachItem((value) => allowed.has(value), message ?? `Must be one of: ${values.join(', ')}`, {
    rule: 'enum',
    values,
  })
}

export function checkChecksum({ value: algorithm, message }: RuleOf<'checksum'>): Check {
  return eachItem(
    (value) => typeof value === 'string' && hasChecksum(algorithm, value),
    message ?? `Invalid ${algorithm}`,
    { rule: 'checksum', algorithm },
  )
}

/** Applies a check to a text, or to each item of a list. @param passes tests one text */
function eachItem(
  passes: (value: unknown) => boolean | string,
  message: string,
  context: Readonly<Record<string, unknown>>,
): Check {
  const visit = (value: unknown, below: readonly number[], object: Objector): void => {
    if (value === null || value === undefined) return
    if (Array.isArray(value)) value.forEach((item, index) => void visit(item, [...below, index], object))
    else {
      const answer = passes(value)
      if (answer !== true) object({ message: answer === false ? message : answer, context, below })
    }
  }
  return ({ value }, object) => visit(value, [], object)
}

/**
 * Compiles the rule `custom`, which calls a validation function of the schema author. The function is not called for an absent
 * value.
 */
export function checkCustom({ value: name, message }: RuleOf<'custom'>, { functions }: CheckSite): Check {
  const found = functions.find((one) => one.kind === 'validator' && one.name === name)?.value
  if (typeof found !== 'function') throw new Error(`The validator "${name}" is no function, or is not loaded.`)
  return ({ value, fields }, object) => {
    if (value === null || value === undefined) return
    const answer: unknown = found(value, { input: fields })
    if (answer === true) return
    // The promise is not awaited; without a handler, its rejection would crash the process.
    if (isPromise(answer)) answer.then(undefined, () => {})
    // Any value other than true, false or a text, such as a promise, must not count as valid.
    if (answer !== false && (typeof answer !== 'string' || answer === '')) {
      throw new Error(
        `The validator "${name}" gave ${describe(answer)}; it has to give true, false, or the error's text.`,
      )
    }
    const text = message ?? (answer === false ? 'Invalid value' : answer)
    object({ message: text, context: { rule: 'custom', validator: name }, below: [] })
  }
}

function describe(answer: unknown): string {
  if (isPromise(answer)) return 'a promise'
  return answer === '' ? 'an empty text' : answer === null ? 'null' : typeof answer
}

/**
 * Tests the check digits (ISO/IEC 7812 for `luhn`, ISO 7064 for `mod97`, as in an IBAN). Spaces and dashes are ignored.
 */
function hasChecksum(algorithm: Checksum, value: string): boolean {
  const text = value.replace(/[\s-]/g, '')
  return algorithm === 'luhn' ? isLuhn(text) : isMod97(text)
}

function isLuhn(text: string): boolean {
  if (!/^\d{2,}$/.test(text)) return false
  let sum = 0
  for (let index = 0; index < text.length; index++) {
    const digit = Number(text[text.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Computes the checksum of an IBAN: the first four characters move to the end; letters are numbers from 10. */
function isMod97(text: string): boolean {
  if (!/^[A-Za-z0-9]{5,}$/.test(text)) return false
  let rest = 0
  for (const char of `${text.slice(4)}${text.slice(0, 4)}`) {
    const number = Number.parseInt(char, 36)
    rest = (rest * (number > 9 ? 100 : 10) + number) % 97
  }
  return rest === 1
}
