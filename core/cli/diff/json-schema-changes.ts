import { type ChangeLevel, show } from './change.ts'
import { type Json, list, type NormalSchema, normalize } from './normalize-json-schema.ts'
import type { SchemaComparison } from './schema-comparison.ts'

/**
 * Compares two versions of a JSON Schema, recursively, and reports the differences. A narrower schema breaks clients
 * that send the value; a wider one breaks clients that receive it.
 * @param place location of the schema in the API, for the report
 */
export function compareJsonSchemas(before: unknown, after: unknown, place: string, comparison: SchemaComparison): void {
  const old = normalize(before, comparison.before)
  const now = normalize(after, comparison.after)
  let at = place
  if (old.ref !== null && now.ref !== null) {
    const key = `${comparison.direction} ${old.ref} ${now.ref}`
    if (comparison.seen.has(key)) return
    comparison.seen.add(key)
    at = `${place.split(': ')[0]}: ${now.ref}`
  }
  compareNull(old, now, at, comparison)
  if (!compareTypes(old, now, at, comparison)) return
  compareEnums(old, now, at, comparison)
  compareLimits(old.schema, now.schema, at, comparison)
  compareMembers(old.schema, now.schema, at, comparison)
  compareAlternatives(old, now, at, comparison)
  if (old.schema.items !== undefined && now.schema.items !== undefined)
    compareJsonSchemas(old.schema.items, now.schema.items, `${at}[]`, comparison)
  const [was, is] = [old.schema.default, now.schema.default]
  if (comparison.direction === 'in' && show(was) !== show(is))
    comparison.report('dangerous', 'DEFAULT_CHANGED', at, `The default changed from ${show(was)} to ${show(is)}.`)
}

/** Level of a change that permits fewer values. */
function narrowing({ direction }: SchemaComparison): ChangeLevel {
  return direction === 'in' ? 'breaking' : 'safe'
}

function compareNull(before: NormalSchema, after: NormalSchema, at: string, comparison: SchemaComparison): void {
  if (before.nullable === after.nullable) return
  if (after.nullable) {
    const level = comparison.direction === 'in' ? 'safe' : 'breaking'
    comparison.report(level, 'BECAME_NULLABLE', at, 'The value can be null now.')
  } else comparison.report(narrowing(comparison), 'BECAME_NON_NULL', at, 'The value cannot be null any more.')
}

/** @returns whether the types are equal, so that the rest can be compared */
function compareTypes(before: NormalSchema, after: NormalSchema, at: string, comparison: SchemaComparison): boolean {
  const [old, now] = [before.types, after.types]
  const lost = old.filter((type) => !permits(now, type))
  const gained = now.filter((type) => !permits(old, type))
  const isChange = lost.length > 0 || gained.length > 0
  // No type permits every value.
  if (!isChange && (old.length === 0) === (now.length === 0)) return true
  const message = `The type changed from ${printTypes(old)} to ${printTypes(now)}.`
  const isNarrower = now.length > 0 && (old.length === 0 || gained.length === 0)
  const isWider = old.length > 0 && (now.length === 0 || lost.length === 0)
  const { direction, report } = comparison
  if (isWider) report(direction === 'in' ? 'safe' : 'breaking', 'TYPE_WIDENED', at, message)
  else if (isNarrower) report(narrowing(comparison), 'TYPE_NARROWED', at, message)
  else report('breaking', 'TYPE_CHANGED', at, message)
  return false
}

function permits(types: readonly string[], type: string): boolean {
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'))
}

function printTypes(types: readonly string[]): string {
  return types.length === 0 ? 'any' : types.join(' or ')
}

function compareEnums(before: NormalSchema, after: NormalSchema, at: string, comparison: SchemaComparison): void {
  const [old, now] = [before.values, after.values]
  const { direction, report } = comparison
  if (old === null && now === null) return
  if (old === null || now === null) {
    const rule = now === null ? 'ENUM_REMOVED' : 'ENUM_ADDED'
    const message = now === null ? 'Any value is possible now.' : `Only these values are possible now: ${show(now)}.`
    const level = now === null ? (direction === 'in' ? 'safe' : 'dangerous') : narrowing(comparison)
    report(level, rule, at, message)
    return
  }
  const lost = old.filter((one) => !now.includes(one))
  const gained = now.filter((one) => !old.includes(one))
  if (lost.length > 0)
    report(narrowing(comparison), 'ENUM_VALUE_REMOVED', at, `Removed from the possible values: ${lost.join(', ')}.`)
  if (gained.length > 0) {
    const message = `Added to the possible values: ${gained.join(', ')}.`
    report(direction === 'in' ? 'safe' : 'dangerous', 'ENUM_VALUE_ADDED', at, message)
  }
}

function compareMembers(before: Json, after: Json, at: string, comparison: SchemaComparison): void {
  const { direction, report } = comparison
  const [old, now] = [before, after].map(({ properties }) => (properties ?? {}) as Json) as [Json, Json]
  const [wasRequired, isRequired] = [list(before.required), list(after.required)]
  for (const [name, schema] of Object.entries(now)) {
    const member = `${at}.${name}`
    const required = isRequired.includes(name)
    if (!Object.hasOwn(old, name)) {
      const isBreaking = direction === 'in' && required
      const rule = isBreaking ? 'REQUIRED_MEMBER_ADDED' : 'MEMBER_ADDED'
      report(
        isBreaking ? 'breaking' : 'safe',
        rule,
        member,
        isBreaking ? 'A required member was added.' : 'It was added.',
      )
      continue
    }
    if (required !== wasRequired.includes(name)) {
      const rule = required ? 'MEMBER_BECAME_REQUIRED' : 'MEMBER_BECAME_OPTIONAL'
      const level = required === (direction === 'in') ? 'breaking' : 'safe'
      report(level, rule, member, required ? 'It is always there now, or has to be.' : 'It may be missing now.')
    }
    compareJsonSchemas(old[name], schema, member, comparison)
  }
  for (const name of Object.keys(old).filter((one) => !Object.hasOwn(now, one))) {
    // A server that accepts unknown members ignores the value.
    const level = direction === 'in' && after.additionalProperties !== false ? 'dangerous' : 'breaking'
    report(level, 'MEMBER_REMOVED', `${at}.${name}`, 'It was removed.')
  }
  compareAdditional(before.additionalProperties, after.additionalProperties, at, comparison)
}

function compareAdditional(before: unknown, after: unknown, at: string, comparison: SchemaComparison): void {
  if (typeof before === 'object' && typeof after === 'object') {
    compareJsonSchemas(before, after, `${at}.*`, comparison)
    return
  }
  const [wasOpen, isOpen] = [before !== false, after !== false]
  if (wasOpen === isOpen) return
  if (isOpen) comparison.report('safe', 'MEMBERS_OPENED', at, 'Further members are possible now.')
  else comparison.report(narrowing(comparison), 'MEMBERS_CLOSED', at, 'Further members are not possible any more.')
}

/**
 * Compares `anyOf` and `oneOf`. Equal alternatives are paired, then the others in their order if the number is the
 * same.
 */
function compareAlternatives(
  before: NormalSchema,
  after: NormalSchema,
  at: string,
  comparison: SchemaComparison,
): void {
  const unmatched = (of: NormalSchema, other: NormalSchema): readonly unknown[] => {
    const known = new Set(other.alternatives.map(nameOf))
    return of.alternatives.filter((one) => !known.has(nameOf(one)))
  }
  const [lost, gained] = [unmatched(before, after), unmatched(after, before)]
  for (const one of after.alternatives) {
    const known = before.alternatives.find((other) => nameOf(other) === nameOf(one))
    if (known !== undefined) compareJsonSchemas(known, one, at, comparison)
  }
  if (lost.length === gained.length) {
    for (const [index, one] of lost.entries()) compareJsonSchemas(one, gained[index], at, comparison)
    return
  }
  const { direction, report } = comparison
  for (const one of lost)
    report(narrowing(comparison), 'ALTERNATIVE_REMOVED', at, `The alternative ${nameOf(one)} was removed.`)
  for (const one of gained)
    report(
      direction === 'in' ? 'safe' : 'dangerous',
      'ALTERNATIVE_ADDED',
      at,
      `The alternative ${nameOf(one)} was added.`,
    )
}

function nameOf(schema: unknown): string {
  const { $ref } = schema as Json
  return typeof $ref === 'string' ? $ref.split('/').at(-1)! : show(schema)
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Rules whose values cannot be compared: a change can exclude values and permit others. */
const RULES = ['pattern', 'format', 'multipleOf', 'uniqueItems']

/** Compares limits and formats of values. */
function compareLimits(before: Json, after: Json, at: string, { direction, report }: SchemaComparison): void {
  const tell = (keyword: string, effect: 'tighter' | 'looser' | 'other'): void => {
    const message = `${keyword} changed from ${show(before[keyword])} to ${show(after[keyword])}.`
    if (effect === 'tighter') report(direction === 'in' ? 'breaking' : 'safe', 'LIMIT_TIGHTENED', at, message)
    else if (effect === 'looser') report(direction === 'in' ? 'safe' : 'dangerous', 'LIMIT_LOOSENED', at, message)
    else report('breaking', 'RULE_CHANGED', at, message)
  }
  for (const [keywords, sign] of [[LOWER, 1] as const, [UPPER, -1] as const]) {
    for (const keyword of keywords) {
      const [old, now] = [before[keyword], after[keyword]]
      if (old === now) continue
      if (old === undefined) tell(keyword, 'tighter')
      else if (now === undefined) tell(keyword, 'looser')
      else tell(keyword, sign * (Number(now) - Number(old)) > 0 ? 'tighter' : 'looser')
    }
  }
  for (const keyword of RULES) {
    const [old, now] = [before[keyword] ?? false, after[keyword] ?? false]
    if (old !== now) tell(keyword, old === false ? 'tighter' : now === false ? 'looser' : 'other')
  }
}
