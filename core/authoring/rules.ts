import type { SourceLocation } from '../schema/authored.ts'
import type { Checksum, CrossOperator } from '../schema/rules.ts'
import { declareFunction } from './author-function.ts'
import { isPlainObject, unknownKeyIn } from './options.ts'
import { currentRegistry } from './registry.ts'

/**
 * Validation rules for a value from a client, checked before any SQL runs (docs/guides/validate-input.md). The value must satisfy
 * every member. The text `'required'` alone is a rule too.
 */
export interface Rules {
  /** The value must be present, and not null. */
  readonly required?: boolean
  /** A regular expression that a text must match, as text or as a literal without flags. */
  readonly pattern?: string | RegExp | { readonly pattern: string | RegExp; readonly message?: string }
  /** Limits on the characters of a text, or the items of a list. */
  readonly length?: RuleBounds
  readonly minLength?: number
  readonly maxLength?: number
  /** Limits of a number. */
  readonly range?: RuleBounds
  readonly minimum?: number
  readonly maximum?: number
  /** The allowed texts. */
  readonly enum?: readonly string[]
  /** Checksum algorithm: `luhn` for card numbers, `mod97` for IBANs. */
  readonly checksum?: Checksum
  /**
   * A function that this module exports, or its name. It returns true, false, or an error text. It is not called when the value is absent.
   */
  readonly custom?: string | Validator
  /** Comparison with another field of the same input. */
  readonly crossField?: { readonly field: string; readonly operator: CrossOperator }
  /** Rules that apply when an expression over the fields is true: `country == 'US'`. */
  readonly conditional?: { readonly condition: string; readonly thenRules: RuleSource }
  /** Fields of an input or arguments of a mutation of which exactly one must be present. */
  readonly oneOf?: readonly string[]
  /** Fields of an input or arguments of a mutation of which at least one must be present. */
  readonly anyOf?: readonly string[]
  /** Fields that are required when another one is present. For an input or a mutation. */
  readonly conditionalRequired?: { readonly ifFieldPresent: string; readonly thenRequired: readonly string[] }
  /** Fields that are required when another one is absent. For an input or a mutation. */
  readonly requiredIfAbsent?: { readonly absentField: string; readonly thenRequired: readonly string[] }
  /** Rules that must all pass. Each failed rule is reported. */
  readonly all?: readonly Rule[]
  /** Rules of which at least one must pass. */
  readonly any?: readonly Rule[]
  /** Error message that replaces the default message. */
  readonly message?: string
}

/** Range of a number; `min` and `max` are inclusive. */
export interface RuleBounds {
  readonly min?: number
  readonly max?: number
}

/** Validates a value. @param of `input` is the input object that contains the value, by wire names */
export type Validator = (value: never, of: { readonly input: Readonly<Record<string, unknown>> }) => boolean | string

export type Rule = 'required' | Rules
/** The value of the option `validate`. */
export type RuleSource = Rule | readonly Rule[]

/** Names of all rules in camelCase → snake_case. */
const KEYS: Readonly<Record<keyof Required<Rules>, string>> = {
  required: 'required',
  pattern: 'pattern',
  length: 'length',
  minLength: 'min_length',
  maxLength: 'max_length',
  range: 'range',
  minimum: 'minimum',
  maximum: 'maximum',
  enum: 'enum',
  checksum: 'checksum',
  custom: 'custom',
  crossField: 'cross_field',
  conditional: 'conditional',
  oneOf: 'one_of',
  anyOf: 'any_of',
  conditionalRequired: 'conditional_required',
  requiredIfAbsent: 'required_if_absent',
  all: 'all',
  any: 'any',
  message: 'message',
}
const PARAMETERS: Readonly<Record<string, string>> = {
  thenRules: 'then_rules',
  ifFieldPresent: 'if_field_present',
  thenRequired: 'then_required',
  absentField: 'absent_field',
}

export const RULES_WANTED = `a rule or a list of rules: 'required', or an object with ${Object.keys(KEYS).join(', ')}`

/**
 * Converts rules to the format of `schema.json`. The compiler checks their meaning.
 * @returns `undefined`: the value has no rules
 */
export function readRules(given: unknown): unknown {
  if (given === 'required') return given
  if (Array.isArray(given)) {
    const rules = given.map(readRules)
    return rules.length === 0 || rules.includes(undefined) ? undefined : rules
  }
  if (!isPlainObject(given)) return undefined
  const out: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!Object.hasOwn(KEYS, name)) return undefined
    const read = readParameter(name, value)
    if (read === undefined) return undefined
    out[KEYS[name as keyof Rules]] = read
  }
  return Object.keys(out).length === 0 ? undefined : out
}

function readParameter(name: string, value: unknown): unknown {
  if (name === 'pattern') return readPattern(value)
  if (name === 'custom') return typeof value === 'function' ? nameOf(value) : value
  if (name === 'all' || name === 'any') return readRules(value)
  if (!isPlainObject(value)) return typeof value === 'function' ? undefined : value
  const entries = Object.entries(value).map(([key, inner]) => [
    Object.hasOwn(PARAMETERS, key) ? PARAMETERS[key] : key,
    key === 'thenRules' ? readRules(inner) : inner,
  ])
  return entries.some(([, inner]) => inner === undefined) ? undefined : Object.fromEntries(entries)
}

function readPattern(value: unknown): unknown {
  if (value instanceof RegExp) return value.flags === '' || value.flags === 'u' ? value.source : undefined
  if (typeof value === 'string') return value === '' ? undefined : value
  if (!isPlainObject(value)) return undefined
  const pattern = readPattern(value.pattern)
  return typeof pattern === 'string' ? { ...value, pattern } : undefined
}

/** Describes the problem of rules that {@link readRules} refuses. @returns `null` when there is no specific message */
export function ruleProblem(given: unknown): string | null {
  if (typeof given === 'string') return `${JSON.stringify(given)} is no rule by itself, only 'required' is.`
  if (given instanceof RegExp) return `a regular expression stands under its name: { pattern: ${given} }.`
  if (Array.isArray(given))
    return given.length === 0 ? 'the list is empty.' : firstProblem(given.filter(isNoRule), ruleProblem)
  if (!isPlainObject(given)) return null
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return 'the object is empty.'
  return (
    unknownKeyIn(given, Object.keys(KEYS)) ?? firstProblem(entries, ([name, value]) => parameterProblem(name, value))
  )
}

function isNoRule(given: unknown): boolean {
  return readRules(given) === undefined
}

function firstProblem<T>(items: readonly T[], problem: (item: T) => string | null): string | null {
  for (const item of items) {
    const said = problem(item)
    if (said !== null) return said
  }
  return null
}

function parameterProblem(name: string, value: unknown): string | null {
  if (readParameter(name, value) !== undefined) return null
  if (name === 'pattern') return patternProblem(isPlainObject(value) ? value.pattern : value)
  if (name === 'custom') return 'custom wants a function of this module that is exported, or the name of one.'
  if (name === 'all' || name === 'any') return ruleProblem(value)
  if (name === 'conditional' && isPlainObject(value)) return ruleProblem(value.thenRules)
  return `${name} does not take this value.`
}

function patternProblem(value: unknown): string {
  if (!(value instanceof RegExp)) return 'pattern wants a regular expression, as text or as a literal.'
  return `the pattern ${value} has the flag "${value.flags.replace('u', '')}", and patterns have none: write what it means into the expression, [Aa] say.`
}

/** Returns the name under which a function was declared. */
function nameOf(fn: object): string | undefined {
  return currentRegistry().elements.find(({ collection, functions }) => isFunctions(collection) && functions === fn)
    ?.name
}

function isFunctions(collection: string): boolean {
  return collection === 'author_functions'
}

/**
 * Declares the functions in rules, each once, so that the server can import them. It is called when the rules are declared, because the
 * exports of a module are examined when it has run, before the rules are converted.
 */
export function declareValidators(given: unknown, place: SourceLocation): void {
  if (Array.isArray(given)) for (const item of given) declareValidators(item, place)
  if (!isPlainObject(given)) return
  const { custom, all, any, conditional } = given
  if (typeof custom === 'function' && nameOf(custom) === undefined) {
    declareFunction('validator', custom.name, custom as () => unknown, place)
  }
  declareValidators(all, place)
  declareValidators(any, place)
  if (isPlainObject(conditional)) declareValidators(conditional.thenRules, place)
}
