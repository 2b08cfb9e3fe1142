import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { FilterTree } from '../../contract/access.ts'
import type { InterfaceType, NamedType, ObjectType } from '../../schema/model.ts'
import { OPERATOR_NAMES } from '../../schema/operators/operators.ts'
import { absent, invalid } from './invalid.ts'

const QUANTIFIERS = ['some', 'every', 'none']
/** Deepest nesting of a filter. */
const DEEPEST = 32

/** Position in a filter tree. */
interface Place {
  /** Path for messages. */
  readonly at: string
  /** The caller has a credential. */
  readonly known: boolean
  readonly depth: number
}

/**
 * Checks the filter that a hook passed to `access.where`, and returns a frozen copy. A missing value, such as an absent
 * claim, is an error, because ignoring it would weaken the filter.
 * @param type the type whose rows are filtered
 * @param at path of the filter, for messages
 * @param known `true`: the caller has a credential
 * @throws SvcError SVC_ACCESS_INVALID for an invalid filter. For a missing value, FORBIDDEN, or UNAUTHENTICATED without
 * a credential
 */
export function copyFilter(type: ObjectType | InterfaceType, tree: unknown, at: string, known: boolean): FilterTree {
  return copyTree(type, tree, { at, known, depth: 0 })
}

function copyTree(type: ObjectType | InterfaceType, tree: unknown, place: Place): FilterTree {
  if (place.depth > DEEPEST) throw invalid(`${place.at}: a filter may be nested ${DEEPEST} levels deep.`)
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, value] of entries(tree, place)) {
    const at = below(place, key)
    if (key === '_and' || key === '_or') copy[key] = items(value, at).map((item) => copyTree(type, item, at))
    else if (key === '_not') copy[key] = copyTree(type, value, at)
    else copy[key] = copyField(type, key, value, at)
  }
  return Object.freeze(copy)
}

function copyField(type: ObjectType | InterfaceType, key: string, value: unknown, place: Place): unknown {
  const field = type.fields.get(key)
  if (field === undefined) {
    const names = ['_and', '_or', '_not', ...type.fields.keys()]
    throw invalid(
      `${place.at}: ${type.name} has no field "${key}".${didYouMean(key, names)} It has ${listNames(names)}.`,
    )
  }
  const { named } = field
  if (!isFilterable(named)) return copyOperators(value, place)
  if (!field.list) return copyTree(named, value, place)
  const copy: Record<string, unknown> = Object.create(null)
  for (const [quantifier, inner] of entries(value, place)) {
    if (!QUANTIFIERS.includes(quantifier)) {
      const hint = didYouMean(quantifier, QUANTIFIERS)
      throw invalid(`${place.at}: "${key}" is a list.${hint} Its filter takes ${listNames(QUANTIFIERS)}.`)
    }
    copy[quantifier] = copyTree(named, inner, below(place, quantifier))
  }
  return Object.freeze(copy)
}

function isFilterable(named: NamedType): named is ObjectType | InterfaceType {
  return named.kind === 'object' || named.kind === 'interface'
}

function copyOperators(value: unknown, place: Place): unknown {
  const copy: Record<string, unknown> = Object.create(null)
  for (const [name, operand] of entries(value, place)) {
    const at = below(place, name)
    if (!OPERATOR_NAMES.has(name))
      throw invalid(`${at.at}: there is no operator "${name}".${didYouMean(name, OPERATOR_NAMES)}`)
    if (Array.isArray(operand)) for (const item of operand) present(item, at)
    present(operand, at)
    copy[name] = copyOperand(operand, at)
  }
  return Object.freeze(copy)
}

function present(value: unknown, { at, known }: Place): void {
  if (value === undefined || value === null) throw absent(known, `${at}: there is no value for it.`)
}

/** Copies an operand: a scalar, a list, or a plain object for JSON. @throws SvcError SVC_ACCESS_INVALID for other values */
function copyOperand(value: unknown, place: Place): unknown {
  if (place.depth > DEEPEST) throw invalid(`${place.at}: a value may be nested ${DEEPEST} levels deep.`)
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
      return value
    case 'object':
      break
    default:
      throw invalid(`${place.at}: a ${typeof value} is no value that can be compared.`)
  }
  if (value === null) return null
  if (value instanceof Date) return value.toISOString()
  const deeper = { ...place, depth: place.depth + 1 }
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copyOperand(item, deeper)))
  if (!isPlain(value)) throw invalid(`${place.at}: an object of a class is no value that can be compared.`)
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOperand(item, deeper)])))
}

/** Returns the members of a filter object. @throws SvcError SVC_ACCESS_INVALID when it is empty or no object */
function entries(value: unknown, place: Place): readonly (readonly [string, unknown])[] {
  present(value, place)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isPlain(value)) {
    throw invalid(`${place.at}: a filter is an object, such as { owner: { _eq: … } }.`)
  }
  const members = Object.entries(value)
  if (members.length === 0)
    throw invalid(`${place.at}: an empty filter lets every row through. Leave the call out instead.`)
  return members
}

function items(value: unknown, place: Place): readonly unknown[] {
  present(value, place)
  return Array.isArray(value) ? value : [value]
}

function below(place: Place, key: string): Place {
  return { ...place, at: `${place.at}.${key}`, depth: place.depth + 1 }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
