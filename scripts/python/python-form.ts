import type { OptionForm, OptionRule, OptionRules } from '../../core/authoring/options.ts'
import { toSnakeCase } from '../../core/base/util/naming.ts'

/** Form without parameters → name in `_forms.py`, and type of the value. */
const SIMPLE: Readonly<Record<string, readonly [rule: string, type: string]>> = {
  text: ['TEXT', 'str'],
  flag: ['FLAG', 'bool'],
  count: ['COUNT', 'int'],
  texts: ['TEXTS', 'Sequence[str]'],
  'text or texts': ['TEXT_OR_TEXTS', 'str | Sequence[str]'],
  json: ['JSON', 'object'],
  extra: ['EXTRA', 'Mapping[str, object]'],
  apart: ['APART', 'str'],
  arguments: ['HIDDEN', ''],
  claims: ['CLAIMS', 'Mapping[str, str]'],
  entity: ['ENTITY', 'Named'],
  interfaces: ['INTERFACES', 'Sequence[Named]'],
  actions: ['ACTIONS', 'Sequence[Mapping[str, object]]'],
  changes: ['CHANGES', 'Change | Sequence[Change]'],
  rules: ['RULES', 'RuleSource'],
  scalar: ['SCALAR', 'object'],
}

/** Names of the TypedDicts, by the options that they hold. */
const RECORDS: Readonly<Record<string, string>> = {
  where: 'AutoParams',
  group_by: 'AggregateFields',
  dimensions: 'VectorConfig',
  from: 'Relation',
  sql_source: 'Through',
  column: 'FullText',
  path: 'FilterTest',
  argument: 'FilterArgument',
  conditions: 'FilterConditions',
}

/** Whether an option belongs to Python too: functions belong to JavaScript modules. */
export const isPythonOption = ({ form }: OptionRule): boolean => form !== 'function'

/** Prints the rule of an option as an expression of Python. */
export function printRule(rule: OptionRule): string {
  const { form, key, wants } = rule
  const made = printForm(form, wants)
  if (form === 'apart') return made
  return `${made}("${form === 'extra' ? '' : key}")`
}

function printForm(form: OptionForm, wants: string): string {
  if (typeof form === 'string') {
    const simple = SIMPLE[form]
    if (simple === undefined) throw new Error(`The form "${form}" has no counterpart in Python: scripts/python.`)
    return simple[0]
  }
  if ('oneOf' in form) {
    const own = wants === `one of ${form.oneOf.join(', ')}` ? '' : `, wants="${wants}"`
    return `one_of(${form.oneOf.map((one) => `"${one}"`).join(', ')}${own})`
  }
  if ('record' in form) {
    const required =
      form.required.length === 0 ? '' : `, required=[${form.required.map((one) => `"${toSnakeCase(one)}"`).join(', ')}]`
    const usual = `an object with ${Object.keys(form.record).join(', ')}`
    const own =
      wants === usual
        ? ''
        : `, wants="${wants.replace('an object', 'a dict').replace(/\b[a-z]+[A-Z]\w*/g, toSnakeCase)}"`
    return `record({${printRules(form.record, ', ')}}${required}${own})`
  }
  if ('listOf' in form) return `list_of(${printRule(form.listOf)})`
  return `either(${form.either.map(printRule).join(', ')})`
}

/** Prints the entries of a table of options. */
export function printRules(rules: OptionRules, separator: string): string {
  return Object.entries(rules)
    .filter(([, rule]) => isPythonOption(rule))
    .map(([name, rule]) => `"${toSnakeCase(name)}": ${printRule(rule)}`)
    .join(separator)
}

/**
 * Returns the type of the values of an option.
 * @param records receives the TypedDicts that the type names
 */
export function pythonType(form: OptionForm, records: Map<string, OptionForm>): string {
  if (typeof form === 'string') return SIMPLE[form]?.[1] ?? ''
  if ('oneOf' in form) return `Literal[${form.oneOf.map((one) => `"${one}"`).join(', ')}]`
  if ('listOf' in form) return `Sequence[${pythonType(form.listOf.form, records)}]`
  if ('either' in form) return [...new Set(form.either.map(({ form }) => pythonType(form, records)))].join(' | ')
  const [first = ''] = Object.keys(form.record)
  if (first === 'maxAttempts') return 'RetryConfig | Mapping[str, object]'
  const name = RECORDS[toSnakeCase(first)]
  if (name === undefined) return 'Mapping[str, object]'
  // The shortest is that of arrow queries, without total_count.
  const known = records.get(name)
  if (known === undefined || sizeOf(form) > sizeOf(known)) records.set(name, form)
  return name
}

function sizeOf(form: OptionForm): number {
  return typeof form === 'object' && 'record' in form ? Object.keys(form.record).length : 0
}
