import { ExactNumber } from '../../base/util/exact-number.ts'
import type { Bounds } from '../rules.ts'
import { showValue } from '../scalar-text.ts'

/**
 * Definition of a semantic scalar such as Email: a built-in scalar whose values must satisfy a further rule
 * (docs/reference/scalars.md#semantic-scalars).
 */
export interface SemanticScalar {
  readonly name: string
  readonly description: string
  readonly specifiedByUrl?: string
  /** The built-in scalar whose JSON format and SQL casts the scalar has. */
  readonly base: 'String' | 'Float' | 'Int' | 'Decimal' | 'JSON'
  /** Kind of scalar that determines the filter operators. Default: that of `base`. */
  readonly group?: 'vector'
  /** Types of database columns that can store the values, in addition to those of `base`. */
  readonly columns?: readonly string[]
  /** `true`: values have no meaningful order, so the scalar has no filter operators `_gt`, `_gte`, `_lt` and `_lte`. */
  readonly unordered?: true
  /** A valid value as text, for documentation and error messages. */
  readonly example: string
  /** Regular expression for the valid texts, for API documents. Absent: one expression is not sufficient. */
  readonly pattern?: string | undefined
  /** Smallest and largest valid number, both inclusive. */
  readonly bounds?: Bounds | undefined
  /**
   * Checks a value from a client, and converts it for SQL.
   * @throws Error whose message describes valid values
   */
  readonly parse: (value: unknown) => unknown
}

/**
 * Longest text, in characters, of a semantic scalar. Scalars of whole documents, such as Markdown, have no such bound.
 */
const MOST_CHARACTERS = 4096

type TextEntry = Omit<SemanticScalar, 'base' | 'parse'> & {
  /** Description of valid values, after "must be". */
  readonly wants: string
  /** Tests a text. A returned text is bound instead of the original; `null` and `false`: the text is invalid. */
  readonly check: RegExp | ((text: string) => boolean | string | null)
}

/** Defines a scalar such as `Email`, whose values are texts that pass a check. */
export function text({ wants, check, ...entry }: TextEntry): SemanticScalar {
  const accepts = check instanceof RegExp ? (value: string) => check.test(value) : check
  return {
    ...entry,
    base: 'String',
    ...(check instanceof RegExp && check.flags === '' ? { pattern: check.source } : {}),
    parse(value) {
      if (typeof value === 'string' && value.length <= MOST_CHARACTERS && isClean(value)) {
        const result = accepts(value)
        if (typeof result === 'string') return result
        if (result === true) return value
      }
      throw refuse(entry, wants, value)
    },
  }
}

/**
 * Tests for a text without control characters and unpaired surrogates, which PostgreSQL cannot store or would change.
 */
function isClean(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
  return !/[\u0000-\u001f\u007f]/.test(value) && value.isWellFormed()
}

/**
 * Creates the error for a value that breaks the rule of a scalar such as `Email`: `Email must be …, such as "…", not
 * …`.
 * @param wants description of valid values, after "must be"
 */
export function refuse(
  { name, example }: Pick<SemanticScalar, 'name' | 'example'>,
  wants: string,
  value: unknown,
): Error {
  return new Error(`${name} must be ${wants}, such as ${example}, not ${showValue(value)}`)
}

type NumberEntry = Omit<SemanticScalar, 'parse'> & {
  readonly wants: string
  /** Test in addition to the bounds. */
  readonly check?: (value: number) => boolean
  /** Parser of the base. */
  readonly of: (value: unknown) => unknown
}

/** Defines a scalar such as `Latitude`, whose values are numbers within `bounds`. */
export function number({ wants, check = () => true, of, ...entry }: NumberEntry): SemanticScalar {
  return {
    ...entry,
    parse(value) {
      let parsed: unknown
      try {
        parsed = of(value)
      } catch {
        throw refuse(entry, wants, value)
      }
      const size = Number(parsed)
      const { min = -Infinity, max = Infinity } = entry.bounds ?? {}
      if (size >= min && size <= max && check(size)) return parsed
      throw refuse(entry, wants, value)
    },
  }
}

/** Converts a property of an object from a client to text; `null`: it is neither a text nor a number. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || value instanceof ExactNumber ? String(value) : null
}

/** Tests whether a value is an object with exactly these keys. */
export function isObjectOf<K extends string>(
  value: unknown,
  keys: readonly K[],
): value is Readonly<Record<K, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber) return false
  const given = Object.keys(value)
  return given.length === keys.length && keys.every((key) => Object.hasOwn(value, key))
}
