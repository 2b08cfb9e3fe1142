import { ExactNumber } from '../../base/util/exact-number.ts'
import type { Bounds } from '../rules.ts'
import { showValue } from '../scalar-text.ts'

/** A semantic scalar: a built-in scalar with an additional rule for its values (docs/reference/scalars.md#semantic-scalars). */
export interface SemanticScalar {
  readonly name: string
  readonly description: string
  readonly specifiedByUrl?: string
  /** Built-in scalar with its wire form, casts and result coercion. */
  readonly base: 'String' | 'Float' | 'Int' | 'Decimal' | 'JSON'
  /** Group of filter operators. Default: that of `base`. */
  readonly group?: 'vector'
  /** Column types that can store the scalar, in addition to those of `base`. */
  readonly columns?: readonly string[]
  /** The order of the values is meaningless, so the scalar has no `_gt`, `_gte`, `_lt` and `_lte`. */
  readonly unordered?: true
  /** Example value, for documentation and messages. */
  readonly example: string
  /** Regular expression that describes the valid texts, if one expression is sufficient. */
  readonly pattern?: string | undefined
  /** Inclusive bounds of a number. */
  readonly bounds?: Bounds | undefined
  /**
   * Checks and normalises a client's value.
   * @throws Error whose message describes valid values
   */
  readonly parse: (value: unknown) => unknown
}

/** Longest text, in characters, of a semantic scalar. Scalars of whole documents, such as Markdown, have no such bound. */
const MOST_CHARACTERS = 4096

type TextEntry = Omit<SemanticScalar, 'base' | 'parse'> & {
  /** Description of valid values, after "must be". */
  readonly wants: string
  /** Tests a text. A returned text is bound instead of the original; `null` and `false`: the text is invalid. */
  readonly check: RegExp | ((text: string) => boolean | string | null)
}

/** Makes a semantic scalar whose values are texts. */
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

/** Tests for a text without control characters and unpaired surrogates, which PostgreSQL cannot store or would change. */
function isClean(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
  return !/[\u0000-\u001f\u007f]/.test(value) && value.isWellFormed()
}

/** Makes the error for a rejected value. @returns `Email must be …, such as "…", not …` */
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

/** Makes a semantic scalar whose values are numbers within bounds. */
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

/** Converts a member of a client's object to text; `null` when it is neither a text nor a number. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || value instanceof ExactNumber ? String(value) : null
}

/** Tests whether a value is an object with exactly these members. */
export function isObjectOf<K extends string>(
  value: unknown,
  keys: readonly K[],
): value is Readonly<Record<K, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber) return false
  const given = Object.keys(value)
  return given.length === keys.length && keys.every((key) => Object.hasOwn(value, key))
}
