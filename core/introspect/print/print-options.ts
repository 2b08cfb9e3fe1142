import { type Entry, printObject, printValue } from './code.ts'
import { unprintable } from './unprintable.ts'

/** Prints the value of an option; `undefined`: the element has the option elsewhere. */
type Print = (value: unknown, subject: string) => string | undefined

/**
 * How the keys of an element of `schema.json` are printed as options of the authoring functions; `true`: as the JSON
 * value.
 */
export type OptionKeys = Readonly<Record<string, true | Print>>

const keys = (names: string): OptionKeys => Object.fromEntries(names.split(' ').map((name) => [name, true as const]))
const elsewhere: Print = () => undefined

/** Renames the keys of an object to camelCase. */
const renamed: Print = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? printObject(Object.entries(value).map(([key, inner]) => [toCamel(key), printValue(inner)]))
    : printValue(value)

function printRelation(value: unknown): string {
  const { through, ...ends } = value as Readonly<Record<string, unknown>>
  return printObject([
    ...toEntries(ends),
    ...(through === undefined ? [] : [['through', renamed(through, '')!] as const]),
  ])
}

const RULES = keys(
  'required pattern length min_length max_length range minimum maximum enum checksum custom cross_field one_of any_of message',
)
const RULE_PARTS = keys('if_field_present then_required absent_field')

const printRules: Print = (given, subject) => {
  if (given === 'required') return printValue(given)
  if (Array.isArray(given)) return `[${given.map((rule) => printRules(rule, subject)).join(', ')}]`
  if (typeof given !== 'object' || given === null)
    throw unprintable(subject, `${JSON.stringify(given)} is no validation rule`)
  return printObject(Object.entries(given).map(([key, value]) => [toCamel(key), printRule(key, value, subject)]))
}

function printRule(key: string, value: unknown, subject: string): string {
  if (key === 'all' || key === 'any') return printRules(value, subject) ?? ''
  if (key === 'conditional' && typeof value === 'object' && value !== null) {
    const { then_rules: rules, ...rest } = value as Readonly<Record<string, unknown>>
    return printObject([...toEntries(rest), ['thenRules', printRules(rules, subject) ?? '']])
  }
  if (key === 'conditional_required' || key === 'required_if_absent') {
    const entries = Object.entries(value as object)
    return printObject(entries.map(([name, inner]) => [name in RULE_PARTS ? toCamel(name) : name, printValue(inner)]))
  }
  if (Object.hasOwn(RULES, key)) return printValue(value)
  throw unprintable(subject, `"${key}" is no validation rule. Write rules by their names, instead of { type, value }`)
}

function toEntries(value: object): Entry[] {
  return Object.entries(value).map(([key, inner]) => [key, printValue(inner)])
}

const FEDERATED = keys('key_fields keys resolvable inaccessible tags')

export const TYPE_KEYS: OptionKeys = {
  ...keys(
    'description sql_source jsonb_column key implements relay embedded database dataplane requires_role is_error',
  ),
  ...FEDERATED,
  ...keys('extends shareable interface_object directives inject row_filter open'),
  aggregate: renamed,
  fields: elsewhere,
}

export const INTERFACE_KEYS: OptionKeys = {
  ...keys('description sql_source type_column'),
  ...FEDERATED,
  aggregate: renamed,
  fields: elsewhere,
}

export const FIELD_KEYS: OptionKeys = {
  ...keys(
    'description deprecated default requires_scope requires_role on_deny filterable orderable computed searchable',
  ),
  ...keys('filter_type filter_operators hierarchy'),
  vector_config: renamed,
  ...keys('column'),
  relation: printRelation,
  ...keys('authorize external shareable inaccessible tags override override_label provides requires sql'),
  type: elsewhere,
}

export const INPUT_KEYS: OptionKeys = { ...keys('description'), validate: printRules, fields: elsewhere }

export const INPUT_FIELD_KEYS: OptionKeys = {
  ...keys('description deprecated default'),
  validate: printRules,
  type: elsewhere,
}

export const ENUM_KEYS: OptionKeys = { ...keys('description'), values: elsewhere }
export const ENUM_VALUE_KEYS: OptionKeys = keys('value description deprecated')
export const UNION_KEYS: OptionKeys = { ...keys('description sql_source type_column'), members: elsewhere }
export const HIERARCHY_KEYS: OptionKeys = { ...keys('path id'), type: elsewhere }

export const SCALAR_KEYS: OptionKeys = {
  ...keys('description specified_by_url elo_expression'),
  validation_rules: printRules,
  base_type: elsewhere,
}

export const ARGUMENT_KEYS: OptionKeys = {
  ...keys('description deprecated default full_text'),
  validate: printRules,
  type: elsewhere,
}

const OPERATION_KEYS: OptionKeys = {
  ...keys('description deprecated sql_source inject requires_role requires_scope requires_policy authenticated'),
  ...keys('api_key_required public rest_path rest_method database'),
  validate: printRules,
  type: elsewhere,
  arguments: elsewhere,
}

export const QUERY_KEYS: OptionKeys = {
  ...OPERATION_KEYS,
  auto_params: renamed,
  ...keys('relay jsonb_column type_column cache_ttl cache additional_views id_arg row_filter aggregate'),
}

/** How the keys of a query with `dataplane: 'arrow'` are printed as options of `arrowQuery()`. */
export const ARROW_QUERY_KEYS: OptionKeys = {
  ...OPERATION_KEYS,
  auto_params: renamed,
  ...keys('jsonb_column row_filter'),
  dataplane: elsewhere,
}

export const MUTATION_KEYS: OptionKeys = {
  ...OPERATION_KEYS,
  ...keys('operation input_style call invalidates cache_update cascade upsert_function'),
}

export const SUBSCRIPTION_KEYS: OptionKeys = {
  ...OPERATION_KEYS,
  ...keys('entity_type topic operation filter durable replay'),
}

export const OBSERVER_KEYS: OptionKeys = { ...keys('entity event condition actions sync'), retry: renamed }

/**
 * Converts the keys of an element of `schema.json` to options of the authoring function that declares it, in the
 * element's order. Keys without an option belong to plugins and are put into the option `extra`.
 * @param subject name of the element, for errors
 * @param hasExtra `false`: the element cannot have keys of plugins
 * @throws SvcError SVC_USAGE
 */
export function printOptions(element: object, known: OptionKeys, subject: string, hasExtra = true): Entry[] {
  const entries: Entry[] = []
  const extra: Entry[] = []
  for (const [key, value] of Object.entries(element)) {
    if (key === 'name' || key === '$place' || value === undefined) continue
    const print = Object.hasOwn(known, key) ? known[key] : undefined
    if (print === undefined) {
      extra.push([key, printValue(value)])
      continue
    }
    const code = print === true ? printValue(value) : print(value, subject)
    if (code !== undefined) entries.push([toCamel(key), code])
  }
  if (extra.length === 0) return entries
  if (!hasExtra) throw unprintable(subject, `it has no option for ${extra.map(([key]) => `"${key}"`).join(', ')}`)
  return [...entries, ['extra', printObject(extra)]]
}

function toCamel(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
