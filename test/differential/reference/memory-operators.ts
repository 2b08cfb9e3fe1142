import { isDeepStrictEqual } from 'node:util'
import type { filterOperators } from '../../../core/doors/front.ts'
import type { FieldModel } from '../../../core/doors/plugin.ts'
import { jsonText, parseExactly } from '../json-text.ts'
import type { Json } from '../request.ts'
import { specialMatches } from '../world/specials.ts'
import type { Source, Stored } from './rows.ts'
import { type Comparable, comparableOf, compare, operandOf, plainJson } from './values.ts'
import { momentText } from './wire.ts'

/** `null`: unknown. */
export type Truth = boolean | null

type Compared = (value: Comparable, operand: Comparable) => boolean
const COMPARISONS: Readonly<Record<string, Compared>> = {
  _eq: (v, o) => compare(v, o) === 0,
  _neq: (v, o) => compare(v, o) !== 0,
  _gt: (v, o) => compare(v, o) > 0,
  _gte: (v, o) => compare(v, o) >= 0,
  _lt: (v, o) => compare(v, o) < 0,
  _lte: (v, o) => compare(v, o) <= 0,
}

const upper = (text: string): string => text.toLowerCase()
/** As in PostgreSQL a dot is any character, those that end a line included. */
const expression = (pattern: string, flags: string): RegExp => new RegExp(pattern, `s${flags}`)
const TEXTS: Readonly<Record<string, (value: string, operand: string) => boolean>> = {
  _contains: (v, o) => v.includes(o),
  _icontains: (v, o) => upper(v).includes(upper(o)),
  _startswith: (v, o) => v.startsWith(o),
  _istartswith: (v, o) => upper(v).startsWith(upper(o)),
  _endswith: (v, o) => v.endsWith(o),
  _iendswith: (v, o) => upper(v).endsWith(upper(o)),
  _like: (v, o) => isLike([...v], [...o]),
  _ilike: (v, o) => isLike([...upper(v)], [...upper(o)]),
  _nlike: (v, o) => !isLike([...v], [...o]),
  _nilike: (v, o) => !isLike([...upper(v)], [...upper(o)]),
  _regex: (v, o) => expression(o, 'u').test(v),
  _iregex: (v, o) => expression(o, 'iu').test(v),
  _nregex: (v, o) => !expression(o, 'u').test(v),
  _niregex: (v, o) => !expression(o, 'iu').test(v),
}

/** `%` is any text, `_` any character, a backslash takes the next character as it is. */
function isLike(text: readonly string[], pattern: readonly string[]): boolean {
  const [mark, ...rest] = pattern
  if (mark === undefined) return text.length === 0
  if (mark === '%')
    return Array.from({ length: text.length + 1 }, (_, skip) => skip).some((skip) => isLike(text.slice(skip), rest))
  if (text.length === 0) return false
  if (mark === '_') return isLike(text.slice(1), rest)
  return mark === '\\'
    ? text[0] === rest[0] && isLike(text.slice(1), rest.slice(1))
    : text[0] === mark && isLike(text.slice(1), rest)
}

const LENGTHS: Readonly<Record<string, (length: number, operand: number) => boolean>> = {
  '_len_eq:list': (v, o) => v === o,
  '_len_neq:list': (v, o) => v !== o,
  '_len_gt:list': (v, o) => v > o,
  '_len_gte:list': (v, o) => v >= o,
  '_len_lt:list': (v, o) => v < o,
  '_len_lte:list': (v, o) => v <= o,
}

type Items = readonly Comparable[]
const holds = (items: Items, item: Comparable): boolean => items.some((each) => compare(each, item) === 0)
const same = (a: Items, b: Items): boolean =>
  a.length === b.length && a.every((item, index) => compare(item, b[index]!) === 0)
const LISTS: Readonly<Record<string, (items: Items, operand: Items) => boolean>> = {
  '_eq:list': same,
  '_neq:list': (v, o) => !same(v, o),
  '_contains:list': (v, o) => o.every((item) => holds(v, item)),
  '_has_all:list': (v, o) => o.every((item) => holds(v, item)),
  '_contained_in:list': (v, o) => v.every((item) => holds(o, item)),
  '_has_any:list': (v, o) => o.some((item) => holds(v, item)),
}

/** Parts of a day in UTC. */
const PARTS: Readonly<Record<string, (day: string) => number>> = {
  _year: (day) => Number(day.slice(0, 4)),
  _month: (day) => Number(day.slice(5, 7)),
  _day: (day) => Number(day.slice(8, 10)),
  _dow: (day) => new Date(`${day.slice(0, 10)}T00:00:00Z`).getUTCDay(),
}

const keys = (value: unknown, key: string): boolean => {
  if (Array.isArray(value)) return value.includes(key)
  return typeof value === 'object' && value !== null ? Object.hasOwn(value, key) : value === key
}
const JSONS: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  '_eq:json': (v, o) => isDeepStrictEqual(v, o),
  '_neq:json': (v, o) => !isDeepStrictEqual(v, o),
  '_contains:json': (v, o) => contains(v, o, true),
  '_strictly_contains:json': (v, o) => contains(v, o, true) && !isDeepStrictEqual(v, o),
  '_contained_in:json': (v, o) => contains(o, v, true),
  '_has_key:json': (v, o) => keys(v, o as string),
  '_has_keys_any:json': (v, o) => (o as string[]).some((key) => keys(v, key)),
  '_has_keys_all:json': (v, o) => (o as string[]).every((key) => keys(v, key)),
}

/** As PostgreSQL has it: lists as sets, objects by their members, and a list holds a scalar at the top. */
function contains(whole: unknown, part: unknown, top = false): boolean {
  if (Array.isArray(whole)) {
    if (Array.isArray(part)) return part.every((item) => whole.some((own) => contains(own, item)))
    return top && (typeof part !== 'object' || part === null) && whole.includes(part)
  }
  if (typeof whole !== 'object' || whole === null) return whole === part
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return false
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && contains((whole as Record<string, unknown>)[key], value),
  )
}

function isTime({ named }: FieldModel): boolean {
  return named.kind === 'scalar' && (named.base === 'Time' || named.base === 'DateTime')
}

/** Fractions of a microsecond, of which the operands have no more than half a second. */
function rounded(operand: Json): Json {
  if (Array.isArray(operand)) return operand.map(rounded)
  if (typeof operand !== 'string') return operand
  return operand.replace(/\.\d{7,}/, (fraction) => Number(`0${fraction}`).toFixed(6).slice(1))
}

/** What each operator means, over a stored value. @throws Error for one whose meaning nobody has written down here */
export function applyOperator(
  field: FieldModel,
  operator: filterOperators.Operator,
  stored: Stored | null,
  given: Json,
  source: Source | null,
  inMicroseconds: boolean,
): Truth {
  const { id } = operator
  const operand = inMicroseconds && isTime(field) ? rounded(given) : given
  if (id.endsWith(':json')) return overJson(id, stored, operand)
  if (id === '_is_null') return (stored === null) === operand
  if (id === '_is_not_null') return (stored !== null) === operand
  if (operator.scalars.length > 0) return overSpecial(field, operator, stored, operand)
  const value = comparableOf(field, stored)
  if (id === '_is_empty:list') return (value === null || (value as Items).length === 0) === operand
  if (id === '_in' || id === '_nin') {
    const operands = (operand as readonly Json[]).map((each) => operandOf(field, each, source))
    if (operands.length === 0) return id === '_nin'
    return value === null ? null : holds(operands, value as Comparable) === (id === '_in')
  }
  if (value === null) return null
  const list = LISTS[id]
  if (list !== undefined)
    return list(
      value as Items,
      (operand as readonly Json[]).map((each) => operandOf(field, each, source)),
    )
  const length = LENGTHS[id]
  if (length !== undefined) return length((value as Items).length, operand as number)
  const own = value as Comparable
  const comparison = COMPARISONS[id]
  if (comparison !== undefined) return comparison(own, operandOf(field, operand, source))
  const text = TEXTS[id]
  if (text !== undefined && own.kind === 'text') return text(own.text, String(operand))
  const part = PARTS[id]
  if (part !== undefined && own.kind === 'text')
    return part(own.text.length > 10 ? momentText(own.text) : own.text) === operand
  throw new Error(`The reference does not know ${id}: write down what it means`)
}

function overSpecial(
  field: FieldModel,
  operator: filterOperators.Operator,
  stored: Stored | null,
  operand: Json,
): Truth {
  if (stored === null) return null
  if (stored.from !== 'column') throw new Error(`${field.name} is no column`)
  const same = (value: string): boolean => value === stored.text || Number(value) === Number(stored.text)
  return specialMatches(field, operator, operand).some(same)
}

function overJson(id: string, stored: Stored | null, operand: Json): Truth {
  const parsed = stored === null ? null : stored.from === 'column' ? parseExactly(stored.text) : stored.value
  const value = parsed === null ? null : plainJson(parsed)
  if (id === '_is_null:json') return (value === null) === operand
  if (id === '_is_not_null:json') return (value !== null) === operand
  const test = JSONS[id]
  if (test === undefined) throw new Error(`The reference does not know ${id}: write down what it means`)
  return stored === null ? null : test(value, plainJson(parseExactly(jsonText(operand))))
}
