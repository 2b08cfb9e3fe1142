import type { filterOperators } from '../../../core/doors/front.ts'
import type { Json } from '../request.ts'

/** What an operator is written over. */
export interface Sides {
  /** The value that rows have. */
  readonly value: string
  /** The same as JSON, where it is JSON. */
  readonly json: string
  readonly isMoment: boolean
  readonly operand: Json
  /** A parameter of the value's type, of text, of an integer, of JSON. */
  readonly own: (value: Json) => string
  readonly ownType: string
  readonly text: (value: string) => string
  readonly int: (value: number) => string
  readonly jsonb: (value: Json) => string
}

type Write = (sides: Sides) => string

const compare =
  (sign: string): Write =>
  ({ value, own, operand }) =>
    `${value} ${sign} ${own(operand)}`

const overText =
  (write: (value: string, operand: string) => string): Write =>
  ({ value, text, operand }) =>
    write(`${value}::text`, text(String(operand)))

/** Parts of a date are those in UTC. */
const part =
  (name: string): Write =>
  ({ value, isMoment, int, operand }) =>
    `EXTRACT(${name} FROM ${isMoment ? `(${value} AT TIME ZONE 'UTC')` : value}) = ${int(Number(operand))}`

const array = ({ own, ownType, operand }: Sides): string =>
  `ARRAY[${listOf(operand).map(own).join(', ')}]::${ownType}[]`

const length =
  (sign: string): Write =>
  ({ value, int, operand }) =>
    `cardinality(${value}) ${sign} ${int(Number(operand))}`

/** `true` asks for what is said, `false` for the opposite. */
const flag =
  (yes: Write, no: Write): Write =>
  (sides) =>
    (sides.operand === true ? yes : no)(sides)

const isNull: Write = ({ value }) => `(${value}) IS NULL`
const isNotNull: Write = ({ value }) => `(${value}) IS NOT NULL`
const isNullJson: Write = ({ json }) => `(${json} IS NULL OR jsonb_typeof(${json}) = 'null')`
const isSomeJson: Write = (sides) => `NOT ${isNullJson(sides)}`

/** Each item of one list is an item of the other; an item that is null is equal to none. */
const within = (part: string, whole: string): string =>
  `CASE WHEN ${part} IS NOT NULL AND ${whole} IS NOT NULL THEN NOT EXISTS (SELECT 1 FROM unnest(${part}) x(v) WHERE (v = ANY(${whole})) IS NOT TRUE) END`
const holdsAll: Write = (sides) => within(array(sides), `(${sides.value})`)

/** Of a null nothing is known. */
const ofText = (value: string, test: string): string => `CASE WHEN ${value} IS NOT NULL THEN ${test} END`

/** What each operator means, in the SQL of PostgreSQL, by id. */
const OPERATORS: Readonly<Record<string, Write>> = {
  _eq: compare('='),
  _neq: compare('<>'),
  _gt: compare('>'),
  _gte: compare('>='),
  _lt: compare('<'),
  _lte: compare('<='),
  _in: ({ value, own, operand }) =>
    listOf(operand).length === 0 ? 'FALSE' : `${value} IN (${listOf(operand).map(own).join(', ')})`,
  _nin: ({ value, own, operand }) =>
    listOf(operand).length === 0 ? 'TRUE' : `${value} NOT IN (${listOf(operand).map(own).join(', ')})`,
  _is_null: flag(isNull, isNotNull),
  _is_not_null: flag(isNotNull, isNull),
  _year: part('year'),
  _month: part('month'),
  _day: part('day'),
  _dow: part('dow'),

  _contains: overText((v, o) => `strpos(${v}, ${o}) > 0`),
  _icontains: overText((v, o) => `strpos(lower(${v}), lower(${o})) > 0`),
  _startswith: overText((v, o) => `starts_with(${v}, ${o})`),
  _istartswith: overText((v, o) => `starts_with(lower(${v}), lower(${o}))`),
  _endswith: overText((v, o) => `right(${v}, length(${o})) = ${o}`),
  _iendswith: overText((v, o) => `right(lower(${v}), length(lower(${o}))) = lower(${o})`),
  _like: overText((v, o) => `${v} LIKE ${o}`),
  _ilike: overText((v, o) => `lower(${v}) LIKE lower(${o})`),
  _nlike: overText((v, o) => `NOT (${v} LIKE ${o})`),
  _nilike: overText((v, o) => `NOT (lower(${v}) LIKE lower(${o}))`),
  _regex: overText((v, o) => ofText(v, `regexp_match(${v}, ${o}) IS NOT NULL`)),
  _iregex: overText((v, o) => ofText(v, `regexp_match(${v}, ${o}, 'i') IS NOT NULL`)),
  _nregex: overText((v, o) => ofText(v, `regexp_match(${v}, ${o}) IS NULL`)),
  _niregex: overText((v, o) => ofText(v, `regexp_match(${v}, ${o}, 'i') IS NULL`)),
  _matches: overText((v, o) => `to_tsvector(${v}) @@ to_tsquery(${o})`),
  _plain_query: overText((v, o) => `to_tsvector(${v}) @@ plainto_tsquery(${o})`),
  _phrase_query: overText((v, o) => `to_tsvector(${v}) @@ phraseto_tsquery(${o})`),
  _websearch_query: overText((v, o) => `to_tsvector(${v}) @@ websearch_to_tsquery(${o})`),

  '_eq:list': (sides) => `(${sides.value}) = ${array(sides)}`,
  '_neq:list': (sides) => `(${sides.value}) <> ${array(sides)}`,
  '_contains:list': holdsAll,
  '_has_all:list': holdsAll,
  '_contained_in:list': (sides) => within(`(${sides.value})`, array(sides)),
  '_has_any:list': (sides) =>
    `CASE WHEN (${sides.value}) IS NOT NULL THEN EXISTS (SELECT 1 FROM unnest(${sides.value}) x(v) WHERE v = ANY(${array(sides)})) END`,
  '_is_empty:list': flag(
    ({ value }) => `(${value}) IS NULL OR cardinality(${value}) = 0`,
    ({ value }) => `(${value}) IS NOT NULL AND cardinality(${value}) > 0`,
  ),
  '_len_eq:list': length('='),
  '_len_neq:list': length('<>'),
  '_len_gt:list': length('>'),
  '_len_gte:list': length('>='),
  '_len_lt:list': length('<'),
  '_len_lte:list': length('<='),

  '_eq:json': ({ json, jsonb, operand }) => `${json} = ${jsonb(operand)}`,
  '_neq:json': ({ json, jsonb, operand }) => `${json} <> ${jsonb(operand)}`,
  '_contains:json': ({ json, jsonb, operand }) => `jsonb_contains(${json}, ${jsonb(operand)})`,
  '_strictly_contains:json': ({ json, jsonb, operand }) =>
    `jsonb_contains(${json}, ${jsonb(operand)}) AND ${json} <> ${jsonb(operand)}`,
  '_contained_in:json': ({ json, jsonb, operand }) => `jsonb_contains(${jsonb(operand)}, ${json})`,
  '_has_key:json': ({ json, text, operand }) => `jsonb_exists(${json}, ${text(String(operand))})`,
  '_has_keys_any:json': ({ json, text, operand }) =>
    anyKey(json, listOf(operand).map(String).map(text), ' OR ', 'FALSE'),
  '_has_keys_all:json': ({ json, text, operand }) =>
    anyKey(json, listOf(operand).map(String).map(text), ' AND ', 'TRUE'),
  '_is_null:json': flag(isNullJson, isSomeJson),
  '_is_not_null:json': flag(isSomeJson, isNullJson),
}

function anyKey(json: string, keys: readonly string[], joint: string, none: string): string {
  const tests = keys.map((key) => `jsonb_exists(${json}, ${key})`)
  return `CASE WHEN ${json} IS NOT NULL THEN ${tests.length === 0 ? none : tests.join(joint)} END`
}

function listOf(operand: Json): readonly Json[] {
  return Array.isArray(operand) ? operand : [operand]
}

/** @throws Error for an operator whose meaning nobody has written down here */
export function writeOperator({ id }: filterOperators.Operator, sides: Sides): string {
  const write = OPERATORS[id]
  if (write === undefined) throw new Error(`The reference does not know ${id}: write down what it means`)
  return write(sides)
}
