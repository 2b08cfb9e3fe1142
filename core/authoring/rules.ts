import type { SourceLocation } from '../schema/authored.ts'
import type { Checksum, CrossOperator } from '../schema/rules.ts'
import { declareFunction } from './author-function.ts'
import { isPlainObject, unknownKeyIn } from './options.ts'
import { currentRegistry } from './registry.ts'

/**
 * Validation rules for a value from a client, which svc checks before any SQL runs (docs/guides/validate-input.md). The
 * value must pass every property that is set. The text `'required'` alone is a rule too.
 */
export interface Rules {
  /** `true`: the value must be present, and not null. */
  readonly required?: boolean
  /** Regular expression that a text must match: its source as a string, or a literal without flags other than `u`. */
  readonly pattern?: string | RegExp | { readonly pattern: string | RegExp; readonly message?: string }
  /** Smallest and largest number of characters of a text, or of items of a list. */
  readonly length?: RuleBounds
  readonly minLength?: number
  readonly maxLength?: number
  /** Smallest and largest allowed number. */
  readonly range?: RuleBounds
  readonly minimum?: number
  readonly maximum?: number
  /** The allowed values of a text. */
  readonly enum?: readonly string[]
  /** Checksum algorithm that the text must satisfy: `luhn` for card numbers, `mod97` for IBANs. */
  readonly checksum?: Checksum
  /**
   * A validation function that the schema module exports, or its name. It returns `true`, `false`, or an error text,
   * and is not called when the value is absent.
   */
  readonly custom?: string | Validator
  /**
   * Comparison with another field of the same input: the value must satisfy `operator` against the value of `field`.
   */
  readonly crossField?: { readonly field: string; readonly operator: CrossOperator }
  /** Rules that apply only if an expression over the fields of the input is true, such as `country == 'US'`. */
  readonly conditional?: { readonly condition: string; readonly thenRules: RuleSource }
  /** Fields of an input or arguments of a mutation of which exactly one must be present. */
  readonly oneOf?: readonly string[]
  /** Fields of an input or arguments of a mutation of which at least one must be present. */
  readonly anyOf?: readonly string[]
  /** Fields that must be present if another field is present. For rules of an input or a mutation. */
  readonly conditionalRequired?: { readonly ifFieldPresent: string; readonly thenRequired: readonly string[] }
  /** Fields that must be present if another field is absent. For rules of an input or a mutation. */
  readonly requiredIfAbsent?: { readonly absentField: string; readonly thenRequired: readonly string[] }
  /** Rules that must all pass. Each failed rule is reported. */
  readonly all?: readonly Rule[]
  /** Rules of which at least one must pass. */
  readonly any?: readonly Rule[]
  /** Error message that the client receives instead of the default one. */
  readonly message?: string
}

/** Lower and upper limit of a number, both inclusive. An absent limit is not checked. */
export interface RuleBounds {
  readonly min?: number
  readonly max?: number
}

/**
 * A function of the author that validates a value. It returns `true`, `false`, or an error text.
 * @param of `input` is the input object that contains the value, with the keys that the client sent
 */
export type Validator = (value: never, of: { readonly input: Readonly<Record<string, unknown>> }) => boolean | string

export type Rule = 'required' | Rules
/** The value of the option `validate`: one rule, or a list of rules that must all pass. */
export type RuleSource = Rule | readonly Rule[]

/** Names of all rules in camelCase → snake_case. */
export const RULE_KEYS: Readonly<Record<keyof Required<Rules>, string>> = {
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

export const RULES_WANTED = `a rule or a list of rules: 'required', or an object with ${Object.keys(RULE_KEYS).join(', ')}`

/**
 * Converts the value of the option `validate` to the format of `schema.json`. The compiler checks later whether the
 * rules fit the type.
 * @returns `undefined`: the value is no valid rule or list of rules
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
    if (!Object.hasOwn(RULE_KEYS, name)) return undefined
    const read = readParameter(name, value)
    if (read === undefined) return undefined
    out[RULE_KEYS[name as keyof Rules]] = read
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

/** Describes why {@link readRules} rejects a value, for a fault. @returns `null` when there is no specific message */
export function ruleProblem(given: unknown): string | null {
  if (typeof given === 'string') return `${JSON.stringify(given)} is no rule by itself, only 'required' is.`
  if (given instanceof RegExp) return `a regular expression stands under its name: { pattern: ${given} }.`
  if (Array.isArray(given))
    return given.length === 0 ? 'the list is empty.' : firstProblem(given.filter(isNoRule), ruleProblem)
  if (!isPlainObject(given)) return null
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return 'the object is empty.'
  return (
    unknownKeyIn(given, Object.keys(RULE_KEYS)) ??
    firstProblem(entries, ([name, value]) => parameterProblem(name, value))
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
 * Registers the functions in the author's validation rules (`custom`), each once, so that the server can import them.
 * Call it when the rules are declared: the exports of a module are examined before the rules are converted.
 * @param given value of the option `validate`
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
