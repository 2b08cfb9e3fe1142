import { aggregatesOf } from '../../../core/doors/front.ts'
import type { FieldModel, QueryModel } from '../../../core/doors/plugin.ts'
import {
  DIRECTIONS,
  type Given,
  type GroupNumber,
  type GroupTerm,
  HAVING_OPERATORS,
  type Having,
  type Json,
  type Numbers,
  type NumbersMember,
  type RowType,
} from '../request.ts'
import { given } from './arguments.ts'
import { kindOf, type Maker, makeWhere } from './filters.ts'
import { isPeriod, periodFields } from './group-fields.ts'
import { makeKey } from './selections.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Can numbers about its rows be asked for? */
export function hasNumbers({ list, named }: QueryModel | FieldModel): boolean {
  return list && (named.kind === 'object' || named.kind === 'interface') && named.aggregate !== null
}

/** Numbers that have one value: sums of floats depend on the order in which they are added. */
export function numbersOf(type: RowType): readonly GroupNumber[] {
  const numbers = [...aggregatesOf(type).measures].flatMap(([name, fields]) =>
    [...fields.values()].flatMap(({ field }): GroupNumber[] => {
      const isFloat = baseOf(field) === 'Float'
      return isFloat && (name === 'sum' || name === 'avg') ? [] : [{ name, field }]
    }),
  )
  return [{ name: 'count', field: null }, ...numbers]
}

const knownKeys = new WeakMap<RowType, readonly FieldModel[]>()

/** What rows are grouped by: what is written one way only. `1.5` and `1.50` are one key, and either may be shown. */
export function keysOf(type: RowType): readonly FieldModel[] {
  let keys = knownKeys.get(type)
  if (keys === undefined) {
    const several = new Set(['Float', 'Decimal', 'Time'])
    const plain = [...aggregatesOf(type).keys.values()].filter(({ period }) => period === null)
    const fields = plain.map(({ field }) => field).filter((field) => !several.has(baseOf(field)))
    keys = [...fields, ...fields.flatMap(periodFields)]
    knownKeys.set(type, keys)
  }
  return keys
}

export function numberName(place: string, { name, field }: GroupNumber | { name: 'keys'; field: FieldModel }): string {
  const period = field !== null && isPeriod(field) ? ` by ${field.period}` : ''
  return `${place} ${name}${field === null ? '' : ` of ${kindOf(field)}${period}`}`
}

/** What can be asked of some queries, to choose from what came up least. */
export function numberTargets(
  queries: readonly QueryModel[],
): readonly { readonly query: QueryModel; readonly number: GroupNumber; readonly name: string }[] {
  return queries.flatMap((query) =>
    numbersOf(query.named as RowType).map((number) => ({ query, number, name: numberName('numbers:', number) })),
  )
}

/** @param grouped about groups, or about all rows @param first is among them */
export function makeNumbers(
  maker: Maker,
  type: RowType,
  grouped: boolean,
  place: 'root' | 'nested',
  first: GroupNumber | null = null,
): Numbers {
  const { random, coverage } = maker
  coverage.note(`numbers about ${grouped ? 'groups' : 'all rows'} of a ${place} list`)
  const numbers: Mutable<Numbers> = { type, groupBy: null, members: [] }
  if (random.chance(0.5)) numbers.where = given(maker, makeWhere(maker, type, 2))
  const keys = grouped ? makeKeys(maker, type) : []
  if (grouped) {
    numbers.groupBy = given(maker, keys)
    if (random.chance(0.4)) numbers.having = given(maker, makeHaving(maker, type, 2))
    if (random.chance(0.6)) numbers.orderBy = given(maker, makeTerms(maker, type, keys))
    if (random.chance(0.4)) numbers.limit = given(maker, random.pick([0, 1, 2, 3, 5]), [null])
    if (random.chance(0.3)) numbers.offset = given(maker, random.pick([0, 1, 2, 50]), [null])
  }
  numbers.members = makeMembers(maker, type, keys, first)
  return numbers
}

function makeKeys(maker: Maker, type: RowType): readonly FieldModel[] {
  const { random, coverage } = maker
  const first = coverage.rarest(random, keysOf(type), (field) => numberName('numbers:', { name: 'keys', field }), 200)
  const others = random.some(keysOf(type), random.pick([0, 0, 1, 1, 2])).filter((field) => field !== first)
  coverage.note(`groups by ${Math.min(others.length + 1, 2)}`)
  coverage.note(numberName('numbers:', { name: 'keys', field: first }))
  return [first, ...others]
}

function makeMembers(
  maker: Maker,
  type: RowType,
  keys: readonly FieldModel[],
  wanted: GroupNumber | null,
): readonly NumbersMember[] {
  const { random, coverage } = maker
  const own = new Set<string>()
  const members: NumbersMember[] = []
  const fieldsOf = (fields: readonly FieldModel[]) => {
    const inner = new Set<string>()
    return fields.map((field) => ({ key: makeKey(maker, field.wireName, inner), field }))
  }
  if (keys.length > 0 && random.chance(0.9)) {
    members.push({ key: makeKey(maker, 'keys', own), name: 'keys', fields: fieldsOf(random.some(keys, keys.length)) })
  }
  for (let left = random.pick([1, 2, 3]); left > 0; left--) {
    const isFirst = members.every(({ name }) => name === 'keys')
    const number =
      isFirst && wanted !== null
        ? wanted
        : coverage.rarest(random, numbersOf(type), (one) => numberName('numbers:', one), 8)
    coverage.note(numberName('numbers:', number))
    if (number.field === null) {
      members.push({ key: makeKey(maker, 'count', own), name: 'count' })
      continue
    }
    const { name, field } = number
    const others = random.some(
      numbersOf(type).flatMap((one) => (one.name === name && one.field !== field ? [one.field as FieldModel] : [])),
      random.below(3),
    )
    members.push({ key: makeKey(maker, name, own), name, fields: fieldsOf([field, ...others]) })
  }
  if (random.chance(0.1)) members.push({ key: makeKey(maker, '__typename', own), name: '__typename' })
  return members
}

/** What is least and greatest of these is compared as a number; texts are compared as the database sorts them. */
const COMPARED = new Set(['Int', 'BigInt', 'Decimal', 'Float', 'Date', 'DateTime'])

/** Those that are compared as numbers. */
function comparable(type: RowType): readonly GroupNumber[] {
  return numbersOf(type).filter(({ name, field }) => {
    if (field === null || name === 'countDistinct' || name === 'sum' || name === 'avg') return true
    return COMPARED.has(baseOf(field))
  })
}

function makeHaving(maker: Maker, type: RowType, depth: number): Having {
  const { random, coverage } = maker
  const kind = depth === 0 ? 'test' : random.pick(['test', 'test', 'and', 'or', 'not'] as const)
  coverage.note(`having ${kind}`)
  if (kind === 'not') return { kind, part: makeHaving(maker, type, depth - 1) }
  if (kind !== 'test') {
    return { kind, parts: Array.from({ length: random.below(3) }, () => makeHaving(maker, type, depth - 1)) }
  }
  const of = random.chance(0.4) ? ({ name: 'count', field: null } as const) : random.pick(comparable(type))
  const operator = coverage.rarest(random, HAVING_OPERATORS, (name) => `having ${name}`)
  coverage.note(`having ${operator}`)
  return { kind, of, operator, operand: operandOf(maker, of) }
}

function operandOf({ random, samples }: Maker, { name, field }: GroupNumber): Json {
  if (field === null || name === 'countDistinct') return random.pick([0, 1, 2, 3, 5])
  if (name === 'sum') return random.pick(['0', '10', '2000', '-1', '100'])
  const stored = samples(field).filter((value) => value !== null)
  return stored.length === 0 ? 0 : random.pick(stored)
}

function makeTerms(maker: Maker, type: RowType, keys: readonly FieldModel[]): readonly GroupTerm[] {
  const { random, coverage } = maker
  const all = [
    ...comparable(type),
    ...keys.flatMap((field) => [
      { name: 'keys', field },
      { name: 'keys', field },
    ]),
  ]
  return random.some(all as readonly Omit<GroupTerm, 'direction'>[], random.pick([1, 1, 2])).map((term) => {
    coverage.note(`order of groups by ${term.name}`)
    return { ...term, direction: random.pick(DIRECTIONS) } as GroupTerm
  })
}

/** The same with other values in the place of its variables. */
export function numbersWithOthers(maker: Maker, numbers: Numbers): Numbers {
  const { random } = maker
  const { having, limit, groupBy, orderBy } = numbers
  const isVariable = (one: Given<unknown> | undefined | null): boolean => one?.as === 'variable'
  // What is shown of keys stands in the document, and has to be grouped by.
  const shown = numbers.members.flatMap((member) => (member.name === 'keys' ? member.fields : []))
  const others = keysOf(numbers.type).filter((field) => shown.every((one) => one.field !== field))
  const keys = [...new Set(shown.map(({ field }) => field))]
  const grouped = [...keys, ...random.some(others, keys.length === 0 ? 1 : random.below(2))]
  const isOther = isVariable(groupBy) && random.chance(0.5) && !(orderBy !== undefined && !isVariable(orderBy))
  return {
    ...numbers,
    ...(isVariable(having) ? { having: { ...having!, value: makeHaving(maker, numbers.type, 2) } } : {}),
    ...(isVariable(limit) ? { limit: { ...limit!, value: random.pick([1, 2, 3, 10]) } } : {}),
    ...(isOther ? { groupBy: { ...groupBy!, value: grouped } } : {}),
    ...(isOther && orderBy !== undefined
      ? { orderBy: { ...orderBy, value: makeTerms(maker, numbers.type, grouped) } }
      : {}),
  }
}

function baseOf({ named }: FieldModel): string {
  return named.kind === 'scalar' ? named.base : ''
}
