import { didYouMean, listNames, longestStart } from '../base/util/nearest.ts'

/** Describes one option of the authoring API: the key of `schema.json` that it sets, and its valid values. */
export interface OptionRule {
  /** Name of the key in `schema.json` that the option sets. */
  readonly key: string
  /** Description of the valid values for error messages: `a text`. */
  readonly wants: string
  /**
   * Checks the value of the option and converts it for `schema.json`.
   * @returns `undefined` when the value is invalid
   */
  readonly read: (value: unknown) => unknown
  /**
   * Describes why `read` rejects a value, more specifically than `wants` does; `null`: there is no more specific
   * message.
   */
  readonly problem?: (value: unknown) => string | null
  /** The valid values as data, from which authoring packages of other languages are generated. */
  readonly form: OptionForm
}

/** The valid values of an option. A text names a form that has no parameters. */
export type OptionForm =
  | string
  | { readonly oneOf: readonly string[] }
  | { readonly record: OptionRules; readonly required: readonly string[] }
  | { readonly either: readonly OptionRule[] }
  | { readonly listOf: OptionRule }

export type OptionRules = Readonly<Record<string, OptionRule>>

export const rule =
  (form: OptionForm, wants: string, read: (value: unknown) => unknown, problem?: OptionRule['problem']) =>
  (key: string): OptionRule => ({ key, wants, read, form, ...(problem === undefined ? {} : { problem }) })

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export const text = rule('text', 'a text', (value) => (isText(value) ? value : undefined))
export const flag = rule('flag', 'true or false', (value) => (typeof value === 'boolean' ? value : undefined))
export const count = rule('count', 'a whole number from 0', (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined,
)
export const texts = rule('texts', 'a list of texts', (value) =>
  Array.isArray(value) && value.every(isText) ? [...value] : undefined,
)
export const textOrTexts = rule('text or texts', 'a text or a list of texts', (value) =>
  isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)) ? value : undefined,
)
export const json = rule('json', 'a value that JSON can say', (value) => (isJson(value) ? value : undefined))
/** Rule for an option that the declaring function reads itself, so that {@link readOptions} accepts and skips it. */
export const apart: OptionRule = { key: '', wants: '', read: () => undefined, form: 'apart' }

export const oneOf = (...values: readonly string[]) =>
  rule({ oneOf: values }, `one of ${values.join(', ')}`, (value) =>
    values.includes(value as string) ? value : undefined,
  )

/**
 * Makes the rule for an option whose value is an object: its properties are converted by rules of their own.
 * @param required properties that must be present
 */
export const record = (rules: OptionRules, required: readonly string[] = []) =>
  rule(
    { record: rules, required },
    `an object with ${Object.keys(rules).join(', ')}`,
    (value) => readRecord(rules, required, value),
    (value) => unknownKeyIn(value, Object.keys(rules)),
  )

/**
 * Describes the first key of an object that is not in the list, with the nearest valid key.
 * @returns `null`: all keys are valid, or the value is no object
 */
export function unknownKeyIn(value: unknown, keys: readonly string[]): string | null {
  if (!isPlainObject(value)) return null
  const unknown = Object.keys(value).find((key) => !keys.includes(key))
  return unknown === undefined ? null : `it has no "${unknown}".${didYouMean(unknown, keys)}`
}

function readRecord(rules: OptionRules, required: readonly string[], value: unknown): object | undefined {
  if (!isPlainObject(value) || Object.keys(value).some((key) => !Object.hasOwn(rules, key))) return undefined
  if (required.some((key) => value[key] === undefined)) return undefined
  const out: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(rules)) {
    if (value[name] === undefined) continue
    const read = inner.read(value[name])
    if (read === undefined) return undefined
    out[inner.key] = read
  }
  return out
}

/**
 * Combines several kinds of values for one option: the first rule that accepts a value converts it.
 * @param makers functions that make a rule for a key of `schema.json`
 */
export const either =
  (...makers: readonly ((key: string) => OptionRule)[]) =>
  (key: string): OptionRule => {
    const rules = makers.map((make) => make(key))
    return {
      key,
      form: { either: rules },
      wants: rules.map((one) => one.wants).join(' or '),
      read: (value) => rules.map((one) => one.read(value)).find((read) => read !== undefined),
      problem: (value) => rules.map((one) => one.problem?.(value) ?? null).find((said) => said !== null) ?? null,
    }
  }

/** Names of options in older samples that are not similar to the valid names, with the valid names. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([['fnName', 'sqlSource']])

/**
 * Converts the options that an author wrote to keys of `schema.json`, in the order of `rules`. Unknown options and
 * wrong values are reported to `fault` and left out.
 * @param rules the known options, by name
 * @param subject how a fault names the declaration: `query "users"`
 */
export function readOptions(
  rules: OptionRules,
  given: object | undefined,
  subject: string,
  fault: (message: string) => void,
): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  if (given === undefined) return out
  if (!isPlainObject(given)) {
    fault(`the options of ${subject} are not an object`)
    return out
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(rules, name)) continue
    const names = Object.keys(rules)
    const meant = FORMER_NAMES.get(name) ?? longestStart(name, names) ?? name
    fault(`${subject} has no option "${name}".${didYouMean(meant, names)} Options: ${listNames(names, 40)}`)
  }
  for (const [name, { key, wants, read, problem }] of Object.entries(rules)) {
    if (given[name] === undefined || key === '') continue
    const value = read(given[name])
    if (value === undefined) fault(`option "${name}" of ${subject} wants ${wants}${said(problem?.(given[name]))}`)
    else if (key === EXTRA) addExtra(rules, value as Record<string, unknown>, subject, out, fault)
    else out[key] = value
  }
  return out
}

function said(problem: string | null | undefined): string {
  return problem == null ? '' : `: ${problem}`
}

const EXTRA = '$extra'
/**
 * Rule for the option `extra`: keys of plugins, spelled as in `schema.json`, that are merged into the declaration. The
 * compiler checks later that a plugin defines them.
 */
export const extra: OptionRule = {
  key: EXTRA,
  form: 'extra',
  wants: 'an object that JSON can say',
  read: (value) => (isPlainObject(value) && isJson(value) ? value : undefined),
}

function addExtra(
  rules: OptionRules,
  keys: Readonly<Record<string, unknown>>,
  subject: string,
  out: Record<string, unknown>,
  fault: (message: string) => void,
): void {
  for (const [key, value] of Object.entries(keys)) {
    const [option] = Object.entries(rules).find(([, rule]) => rule.key === key) ?? []
    if (option === undefined && !['name', 'type', 'fields'].includes(key)) out[key] = value
    else fault(`"${key}" in \`extra\` of ${subject} is no key of a plugin: write it as the option "${option ?? key}"`)
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJson)
  return isPlainObject(value) && Object.values(value).every(isJson)
}
