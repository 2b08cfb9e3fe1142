import type { Entry, Syntax } from './syntax.ts'
import { unprintable } from './unprintable.ts'

/** Prints the value of an option; `undefined`: the element has the option elsewhere. */
type Print = (value: unknown, subject: string, syntax: Syntax) => string | undefined

/**
 * How the keys of an element of `schema.json` are printed as options of the authoring functions; `true`: as the JSON
 * value.
 */
export type OptionKeys = Readonly<Record<string, true | Print>>

const keys = (names: string): OptionKeys => Object.fromEntries(names.split(' ').map((name) => [name, true as const]))
const elsewhere: Print = () => undefined

/** Renames the keys of an object to camelCase. */
const renamed: Print = (value, _subject, { optionName, ...syntax }) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? syntax.object(Object.entries(value).map(([key, inner]) => [optionName(key), syntax.value(inner)]))
    : syntax.value(value)

const printRelation: Print = (value, subject, syntax) => {
  const { through, ...ends } = value as Readonly<Record<string, unknown>>
  const entries = Object.entries(ends).map(([key, inner]): Entry => [key, syntax.value(inner)])
  if (through !== undefined) entries.push(['through', renamed(through, subject, syntax) ?? ''])
  return syntax.object(entries)
}

const RULES = keys(
  'required pattern length min_length max_length range minimum maximum enum checksum custom cross_field one_of any_of message',
)
const RULE_PARTS = keys('if_field_present then_required absent_field')

const printRules: Print = (given, subject, syntax) => {
  if (given === 'required') return syntax.value(given)
  if (Array.isArray(given)) return `[${given.map((rule) => printRules(rule, subject, syntax)).join(', ')}]`
  if (typeof given !== 'object' || given === null)
    throw unprintable(subject, `${JSON.stringify(given)} is no validation rule`)
  return syntax.object(
    Object.entries(given).map(([key, value]) => [syntax.optionName(key), printRule(key, value, subject, syntax)]),
  )
}

function printRule(key: string, value: unknown, subject: string, syntax: Syntax): string {
  const { optionName } = syntax
  if (key === 'all' || key === 'any') return printRules(value, subject, syntax) ?? ''
  if (key === 'conditional' && typeof value === 'object' && value !== null) {
    const { then_rules: rules, ...rest } = value as Readonly<Record<string, unknown>>
    const entries = Object.entries(rest).map(([name, inner]): Entry => [name, syntax.value(inner)])
    return syntax.object([...entries, [optionName('then_rules'), printRules(rules, subject, syntax) ?? '']])
  }
  if (key === 'conditional_required' || key === 'required_if_absent') {
    const entries = Object.entries(value as object)
    return syntax.object(
      entries.map(([name, inner]) => [name in RULE_PARTS ? optionName(name) : name, syntax.value(inner)]),
    )
  }
  if (Object.hasOwn(RULES, key)) return syntax.value(value)
  throw unprintable(subject, `"${key}" is no validation rule. Write rules by their names, instead of { type, value }`)
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
 * @throws SvcError SVC_USAGE: a key has no option, or its value cannot be printed
 */
export function printOptions(
  syntax: Syntax,
  element: object,
  known: OptionKeys,
  subject: string,
  hasExtra = true,
): Entry[] {
  const entries: Entry[] = []
  const extra: Entry[] = []
  for (const [key, value] of Object.entries(element)) {
    if (key === 'name' || key === '$place' || value === undefined) continue
    const print = Object.hasOwn(known, key) ? known[key] : undefined
    if (print === undefined) {
      extra.push([key, syntax.value(value)])
      continue
    }
    const code = print === true ? syntax.value(value) : print(value, subject, syntax)
    if (code !== undefined) entries.push([syntax.optionName(key), code])
  }
  if (extra.length === 0) return entries
  if (!hasExtra) throw unprintable(subject, `it has no option for ${extra.map(([key]) => `"${key}"`).join(', ')}`)
  return [...entries, ['extra', syntax.object(extra)]]
}
