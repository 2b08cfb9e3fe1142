import { toSnakeCase } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { SourceLocation } from '../../schema/authored.ts'
import type { CompileContext } from '../ground/context.ts'
import { RULE_WORDS } from './read-rules.ts'
import { findField, type RuleField, type RuleOwner } from './rule-owner.ts'

/** Content of the section `[svc.validation]` in svc.toml, which adds validation rules to inputs and fields. */
export interface ConfigRules {
  readonly entries: Readonly<Record<string, unknown>>
  readonly placeOf: (key: string) => SourceLocation | null
}

/** One key of `[svc.validation]` with its rules, and the inputs and fields to which the rules apply. */
export interface PlacedRules {
  readonly key: string
  readonly rules: unknown
  readonly place: SourceLocation | null
  readonly targets: readonly { readonly owner: RuleOwner; readonly field: RuleField | null }[]
}

/**
 * Finds the inputs and fields that the keys of `[svc.validation]` name
 * (docs/guides/validate-input.md#where-rules-stand). A key is tried in this order: an input in snake_case,
 * `Type.field`, `<type>_<field>` with the longest type, a field of any input. A mutation counts as an input whose
 * fields are its arguments. A key without a match is reported.
 * @param owners inputs and operations of the schema
 */
export function placeConfigRules(
  { entries, placeOf }: ConfigRules,
  owners: readonly RuleOwner[],
  context: CompileContext,
): readonly PlacedRules[] {
  // Arguments of queries take their rules from the schema alone.
  const inputs = owners.filter(
    ({ isInput, element }) => isInput || (context.schema.mutations ?? []).includes(element as never),
  )
  return flatten(entries, inputs).map(([key, rules, written]) => {
    const place = placeOf(written)
    const targets = find(key, inputs)
    if (targets.length === 0)
      context.report.fault('validation', unknownKey(key, inputs, context), {
        ...(place === null ? {} : { $place: place }),
      })
    return { key, rules, place, targets }
  })
}

/**
 * Flattens nested tables to dotted keys. In TOML, `CreateUser.email = …` without quotes is a nested table, and so are
 * the fields of `[svc.validation.create_user]`.
 */
function flatten(
  entries: Readonly<Record<string, unknown>>,
  owners: readonly RuleOwner[],
): readonly (readonly [key: string, rules: unknown, written: string])[] {
  return Object.entries(entries).flatMap(([key, value]) => {
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value)
    const words = isTable ? Object.keys(value) : []
    const isNested =
      words.length > 0 &&
      words.every((word) => word !== 'type' && !RULE_WORDS.includes(word)) &&
      Object.values(value as object).every((one) => typeof one === 'object' || typeof one === 'string')
    const owner = owners.find(({ name }) => toSnakeCase(name) === key)
    const isOfFields =
      owner === undefined
        ? /^[A-Za-z]\w*$/.test(key) && /[A-Z]/.test(key)
        : words.some((word) => findField(owner, word))
    if (!isNested || !isOfFields) return [[key, value, key] as const]
    const of = owner?.name ?? key
    return Object.entries(value as object).map(([field, rules]) => [`${of}.${field}`, rules, key] as const)
  })
}

function find(key: string, owners: readonly RuleOwner[]): PlacedRules['targets'] {
  const whole = owners.find(({ name }) => toSnakeCase(name) === key) ?? owners.find(({ name }) => name === key)
  if (whole !== undefined) return [{ owner: whole, field: null }]
  const dot = key.indexOf('.')
  if (dot !== -1) {
    const owner = owners.find(({ name }) => name === key.slice(0, dot))
    return owner === undefined ? [] : targetIn(owner, key.slice(dot + 1))
  }
  const prefixed = owners
    .filter(({ name }) => key.startsWith(`${toSnakeCase(name)}_`))
    .sort((a, b) => toSnakeCase(b.name).length - toSnakeCase(a.name).length)
  for (const owner of prefixed) {
    const targets = targetIn(owner, key.slice(toSnakeCase(owner.name).length + 1))
    if (targets.length > 0) return targets
  }
  return owners.flatMap((owner) => targetIn(owner, key))
}

function targetIn(owner: RuleOwner, name: string): PlacedRules['targets'] {
  const field = findField(owner, name)
  return field === undefined ? [] : [{ owner, field }]
}

function unknownKey(key: string, owners: readonly RuleOwner[], { schema }: CompileContext): string {
  const [typeName = key] = key.split('.')
  const output = (schema.types ?? []).find(
    ({ name }) => name === typeName || toSnakeCase(name) === typeName || key.startsWith(`${toSnakeCase(name)}_`),
  )
  const said = `[svc.validation] "${key}" is no input, and no field of one.`
  const names = owners.flatMap(({ name, fields }) => {
    const snake = toSnakeCase(name)
    return [
      snake,
      ...fields.keys(),
      ...[...fields.keys()].flatMap((field) => [`${name}.${field}`, `${snake}_${toSnakeCase(field)}`]),
    ]
  })
  const nearest = didYouMean(key, names)
  if (nearest !== '') return `${said}${nearest}`
  if (output !== undefined) {
    return `${said} ${output.name} is a type, and rules hold for what clients send: name the input or the mutation that takes the field.`
  }
  return `${said} There is: ${listNames(owners.map(({ name }) => toSnakeCase(name)))}.`
}
