import { ExactNumber } from '../../base/util/exact-number.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { Bounds, FieldName, Rule, RuleType } from '../../schema/rules.ts'
import { CHECKSUMS, CROSS_OPERATORS } from '../../schema/rules.ts'
import { fieldName } from './rule-owner.ts'
import type { RulePlace } from './rule-place.ts'

/** Reads the parameters of one rule. Invalid parameters are reported and give an empty list. */
type Reader = (value: unknown, place: RulePlace) => readonly Rule[]

type Table = Readonly<Record<string, unknown>>

/**
 * For each type of validation rule, the function that checks its parameters and converts them to the form of the
 * compiled schema.
 */
export const READERS: ReadonlyMap<RuleType, Reader> = new Map<RuleType, Reader>([
  ['required', readRequired],
  ['pattern', readPattern],
  ['length', (value, place) => bounded('length', value, place)],
  ['range', (value, place) => bounded('range', value, place)],
  ['enum', readEnum],
  ['checksum', readChecksum],
  ['custom', readCustom],
  ['cross_field', readCrossField],
  ['conditional', readConditional],
  ['one_of', (value, place) => readGroup('one_of', value, place)],
  ['any_of', (value, place) => readGroup('any_of', value, place)],
  ['conditional_required', readConditionalRequired],
  ['required_if_absent', readRequiredIfAbsent],
  ['all', (value, place) => readNested('all', value, place)],
  ['any', (value, place) => readNested('any', value, place)],
])

function readRequired(value: unknown, { fault }: RulePlace): readonly Rule[] {
  if (value === false) return []
  if (value === undefined || value === true) return [{ type: 'required' }]
  fault('wants true.')
  return []
}

function readPattern(value: unknown, place: RulePlace): readonly Rule[] {
  if (typeof value === 'string') return [{ type: 'pattern', value }]
  const table = tableOf(value, ['pattern', 'message'], place)
  if (table === null) return []
  const { pattern, message } = table
  if (typeof pattern === 'string' && (message === undefined || typeof message === 'string')) {
    return [{ type: 'pattern', value: pattern, ...(message === undefined ? {} : { message }) }]
  }
  place.fault('wants a regular expression: "^[A-Z]+$", or { pattern, message }.')
  return []
}

function bounded(type: 'length' | 'range', value: unknown, place: RulePlace): readonly Rule[] {
  const table = tableOf(value, ['min', 'max'], place)
  if (table === null) return []
  const bounds: { min?: number; max?: number } = {}
  for (const end of ['min', 'max'] as const) {
    const given = table[end]
    if (given === undefined) continue
    const fits =
      typeof given === 'number' &&
      (type === 'range' ? Number.isFinite(given) : Number.isSafeInteger(given) && given >= 0)
    if (given instanceof ExactNumber) {
      place.fault(`${end} is ${given}: a number here has 15 digits at most. Use custom.`)
      return []
    }
    if (!fits) {
      place.fault(`${end} wants ${type === 'range' ? 'a number' : 'a whole number from 0'}.`)
      return []
    }
    bounds[end] = given
  }
  if (!isOrdered(bounds)) {
    place.fault('min is greater than max; nothing could pass.')
    return []
  }
  if (bounds.min === undefined && bounds.max === undefined) {
    place.fault('wants min, max or both.')
    return []
  }
  return [{ type, value: bounds }]
}

function isOrdered({ min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Bounds): boolean {
  return min <= max
}

function readEnum(value: unknown, place: RulePlace): readonly Rule[] {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value)
  const values = textsOf(isTable ? tableOf(value, ['values'], place)?.values : value)
  if (values !== null) return [{ type: 'enum', value: values }]
  place.fault('wants the texts that are allowed: ["a", "b"].')
  return []
}

function readChecksum(value: unknown, place: RulePlace): readonly Rule[] {
  const name = typeof value === 'string' ? value : tableOf(value, ['algorithm'], place)?.algorithm
  const algorithm = CHECKSUMS.find((known) => known === name)
  if (algorithm !== undefined) return [{ type: 'checksum', value: algorithm }]
  place.fault(`there is no algorithm ${JSON.stringify(name)}. There is: ${listNames(CHECKSUMS)}.`)
  return []
}

function readCustom(value: unknown, { fault, validators }: RulePlace): readonly Rule[] {
  if (typeof value === 'string' && validators.includes(value)) return [{ type: 'custom', value }]
  const known = validators.length === 0 ? ' There is none.' : ` There is: ${listNames(validators)}.`
  const hint = typeof value === 'string' ? didYouMean(value, validators) || known : known
  const way = ' Declare it: export const name = authorFunction("validator", "name", (value) => …).'
  fault(`there is no validator ${JSON.stringify(value)}.${hint}${way}`)
  return []
}

function readCrossField(value: unknown, place: RulePlace): readonly Rule[] {
  const table = tableOf(value, ['field', 'operator'], place)
  if (table === null) return []
  const field = fieldName(place.owner, table.field, place.fault)
  const operator = CROSS_OPERATORS.find((known) => known === table.operator)
  if (operator === undefined) {
    const said =
      table.operator === undefined ? 'wants an operator' : `there is no operator ${JSON.stringify(table.operator)}`
    place.fault(`${said}. There is: ${listNames(CROSS_OPERATORS)}.`)
  }
  return field === null || operator === undefined ? [] : [{ type: 'cross_field', value: { field, operator } }]
}

function readConditional(value: unknown, place: RulePlace): readonly Rule[] {
  const table = tableOf(value, ['condition', 'then_rules'], place)
  if (table === null) return []
  const { condition, then_rules } = table
  if (typeof condition !== 'string' || then_rules === undefined) {
    place.fault('wants { condition = "…", then_rules = [ … ] }.')
    return []
  }
  const rules = place.read(then_rules, place)
  return rules.length === 0 ? [] : [{ type: 'conditional', value: { condition, then_rules: rules } }]
}

function readGroup(type: 'one_of' | 'any_of', value: unknown, place: RulePlace): readonly Rule[] {
  const fields = fieldsOf(Array.isArray(value) ? value : tableOf(value, ['fields'], place)?.fields, place)
  return fields === null ? [] : [{ type, value: { fields } }]
}

function readConditionalRequired(value: unknown, place: RulePlace): readonly Rule[] {
  const table = tableOf(value, ['if_field_present', 'then_required'], place)
  if (table === null) return []
  const present = fieldName(place.owner, table.if_field_present, place.fault)
  const then = fieldsOf(table.then_required, place)
  if (present === null || then === null) return []
  return [{ type: 'conditional_required', value: { if_field_present: present, then_required: then } }]
}

function readRequiredIfAbsent(value: unknown, place: RulePlace): readonly Rule[] {
  const table = tableOf(value, ['absent_field', 'then_required'], place)
  if (table === null) return []
  const absent = fieldName(place.owner, table.absent_field, place.fault)
  const then = fieldsOf(table.then_required, place)
  if (absent === null || then === null) return []
  return [{ type: 'required_if_absent', value: { absent_field: absent, then_required: then } }]
}

function readNested(type: 'all' | 'any', value: unknown, place: RulePlace): readonly Rule[] {
  const given = Array.isArray(value) ? value : tableOf(value, ['rules'], place)?.rules
  if (!Array.isArray(given)) {
    place.fault('wants a list of rules.')
    return []
  }
  // A member with several rules means that all of them must pass.
  const rules = given.flatMap((member): readonly Rule[] => {
    const read = place.read(member, place)
    return type === 'any' && read.length > 1 ? [{ type: 'all', value: read }] : read
  })
  if (rules.length === 0) place.fault('holds no rule.')
  return rules.length === 0 ? [] : [{ type, value: rules }]
}

function tableOf(value: unknown, keys: readonly string[], { fault }: RulePlace): Table | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fault(`wants { ${keys.join(', ')} }.`)
    return null
  }
  const unknown = Object.keys(value).find((key) => !keys.includes(key))
  if (unknown === undefined) return value as Table
  fault(`has no "${unknown}".${didYouMean(unknown, keys)} It has: ${listNames(keys)}.`)
  return null
}

function textsOf(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null
  return value.every((item): item is string => typeof item === 'string') ? value : null
}

function fieldsOf(value: unknown, { owner, fault }: RulePlace): readonly FieldName[] | null {
  const names = textsOf(typeof value === 'string' ? [value] : value)
  if (names === null) {
    fault('wants a list of fields.')
    return null
  }
  const fields = names.map((name) => fieldName(owner, name, fault))
  return fields.every((field): field is FieldName => field !== null) ? fields : null
}
