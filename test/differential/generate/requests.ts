import type { ArgumentModel } from '../../../core/doors/front.ts'
import type { FieldModel, ObjectType, QueryModel, SchemaModel } from '../../../core/doors/plugin.ts'
import type { Item, Json, ListArguments, QueryRoot, Request, Root, RowType, WrapperMember } from '../request.ts'
import { CALLERS, type Caller } from '../world/callers.ts'
import { wordQueryOf } from '../world/words.ts'
import { given, makeListArguments, makeOrder } from './arguments.ts'
import { type Maker, makeWhere, withOtherOperands } from './filters.ts'
import { hasNumbers, makeNumbers, numbersWithOthers, numberTargets } from './numbers.ts'
import { SEARCHES } from './operands.ts'
import { makeKey, makeSelection } from './selections.ts'
import type { Target } from './targets.ts'

/** Which queries are asked, and how deeply. */
export interface Scope {
  readonly queries: readonly QueryModel[]
  readonly targets: readonly Target[]
  readonly depth: number
}

/** Gives values of the `id` of a type, and of any argument of a query. */
export type ArgumentValue = (query: QueryModel, name: string) => string | number | boolean | null | readonly string[]

/** How many requests ask for operators and orders one by one. */
const AIMED = 0.35
/** How many roots ask for numbers about rows. */
const NUMBERS = 0.15

export function makeRequest(maker: Maker, model: SchemaModel, scope: Scope): Request {
  const { random, coverage } = maker
  const keys = new Set<string>()
  const isAimed = random.chance(AIMED)
  const roots = Array.from({ length: random.pick(isAimed ? [3, 4, 4] : [1, 1, 1, 1, 2, 3]) }, () => {
    const target = isAimed ? maker.nextTarget() : null
    return target === null ? makeRoot(maker, model, scope, keys) : makeAimedRoot(maker, target, keys)
  })
  coverage.note(`roots: ${roots.length}`)
  return { caller: makeCaller(maker), roots }
}

/** Mostly one that sees something. */
function makeCaller({ random, coverage }: Maker): Caller {
  const caller = random.chance(0.5) ? CALLERS[0]! : random.pick(CALLERS)
  coverage.note(`caller ${caller.name}`)
  return caller
}

/** Requests for targets by themselves, some in each. */
export function* makeAimed(maker: Maker, targets: readonly Target[]): Generator<Request> {
  for (let from = 0; from < targets.length; from += 4) {
    const keys = new Set<string>()
    const roots = targets.slice(from, from + 4).map((target) => makeAimedRoot(maker, target, keys))
    yield { caller: CALLERS[0]!, roots }
  }
}

function makeRoot(maker: Maker, model: SchemaModel, scope: Scope, keys: Set<string>): Root {
  const { random, coverage } = maker
  if (random.chance(0.02) && !keys.has('__typename')) {
    keys.add('__typename')
    return { kind: 'typename', key: '__typename' }
  }
  const relay = model.relayTypes.filter((type) => scope.queries.some(({ named }) => named === type))
  if (relay.length > 0 && random.chance(0.04)) return makeNode(maker, random.pick(relay), scope.depth, keys)
  const counted = scope.queries.filter((query) => query.aggregate && hasNumbers(query))
  if (counted.length > 0 && random.chance(NUMBERS)) return makeNumbersRoot(maker, counted, keys)
  const target = random.chance(0.4) ? coverage.rarest(random, scope.targets, ({ name }) => name, 300) : null
  const query = target?.query ?? coverage.rarest(random, scope.queries, ({ wireName }) => `root ${wireName}`)
  coverage.note(`root ${query.wireName}`)
  const key = makeKey(maker, query.wireName, keys)
  const args = aimed(maker, target, query.list ? makeListArguments(maker, query, 'root') : {})
  const of = makeSelection(maker, query.named as QueryRoot['of']['type'], depthOf(maker, scope, args))
  return {
    kind: 'query',
    aim: null,
    key,
    query,
    args,
    equals: makeEquals(maker, query),
    of,
    wrapper: makeWrapper(maker, query, args),
  }
}

/** A list that is asked for one thing: its rows show whether it holds. */
function makeAimedRoot(maker: Maker, target: Target, keys: Set<string>): Root {
  const { random, coverage } = maker
  const { query } = target
  const key = makeKey(maker, query.wireName, keys)
  const isPaged = !query.relay && query.autoParams.limit && random.chance(0.2)
  const args = aimed(maker, target, isPaged ? { limit: given(maker, random.pick([2, 5])) } : {})
  const of = makeSelection(maker, query.named as QueryRoot['of']['type'], random.chance(0.2) ? 1 : 0)
  const wrapper = query.relay ? ORDERED : query.autoParams.total_count ? COUNTED : null
  coverage.note(`root ${query.wireName}`)
  return { kind: 'query', aim: target.name, key, query, args, equals: [], of, wrapper }
}

function makeNumbersRoot(maker: Maker, queries: readonly QueryModel[], keys: Set<string>): Root {
  const { query, number } = maker.coverage.rarest(maker.random, numberTargets(queries), ({ name }) => name, 60)
  const grouped = maker.random.chance(0.6)
  const numbers = makeNumbers(maker, query.named as RowType, grouped, 'root', number)
  const key = makeKey(maker, `${query.wireName}${grouped ? 'Groups' : 'Aggregate'}`, keys)
  return { kind: 'numbers', key, query, equals: makeEquals(maker, query), numbers }
}

/** Arguments that ask for the target. */
function aimed(maker: Maker, target: Target | null, args: ListArguments): ListArguments {
  if (target === null) return args
  if (target.makeWhere !== null) return { ...args, where: given(maker, target.makeWhere(maker)) }
  if (target.order === null) return args
  maker.coverage.note(target.name)
  const { after: _, before: __, ...rest } = args
  return { ...rest, orderBy: given(maker, [target.order, ...(args.orderBy?.value ?? [])]) }
}

/** Long lists are not deep. */
function depthOf({ random }: Maker, { depth }: Scope, { limit, first, last }: ListArguments): number {
  const size = limit?.value ?? first?.value ?? last?.value ?? 20
  return size > 5 ? random.below(Math.min(depth, 2) + 1) : random.below(depth + 1)
}

function makeNode(maker: Maker, type: ObjectType, depth: number, keys: Set<string>): Root {
  maker.coverage.note('root node')
  const value = idOf(maker, type)
  const encoded = maker.random.chance(0.7) ? Buffer.from(`${type.name}:${value}`).toString('base64') : value
  return {
    kind: 'node',
    key: makeKey(maker, 'node', keys),
    type,
    id: given(maker, encoded),
    of: makeSelection(maker, type, maker.random.below(depth + 1)),
  }
}

function idOf({ random, samples }: Maker, type: RowType): string {
  const field = type.fields.get('id')
  const stored = field === undefined ? [] : samples(field)
  return stored.length > 0 && random.chance(0.9) ? String(random.pick(stored)) : NOBODY[typeOf(field)]!
}

/** Ids that no row has, by the type of their column. */
const NOBODY: Readonly<Record<string, string>> = { integer: '999999', other: '00000000-0000-4000-8000-000000000000' }

function typeOf(field: FieldModel | undefined): 'integer' | 'other' {
  const type = field?.read?.from === 'column' ? field.read.column_type : null
  return type !== null && /^int\d$/.test(type) ? 'integer' : 'other'
}

type Equality = QueryRoot['equals'][number]

function makeEquals(maker: Maker, query: QueryModel): QueryRoot['equals'] {
  const { random, coverage } = maker
  const equals: Equality[] = []
  for (const argument of query.arguments.values()) {
    if (argument.type.nullable && random.chance(0.7)) continue
    coverage.note(`argument ${argument.type.kind === 'list' ? 'of a list' : 'of a value'}`)
    const value = makeArgument(maker, query, argument)
    if (value !== undefined) equals.push({ name: argument.wireName, given: given(maker, value) })
  }
  return equals
}

/** @returns `undefined`: there is none that fits */
function makeArgument(maker: Maker, query: QueryModel, argument: ArgumentModel): Json | undefined {
  const { random, coverage, samples } = maker
  const { named } = query
  const type = named as RowType
  const { nullable, kind } = argument.type
  if (nullable && random.chance(0.1)) return null
  const words = wordQueryOf(query, argument.wireName)
  if (words !== null) {
    coverage.note(`argument of words, ${words}`)
    return random.pick(SEARCHES[words])
  }
  const field = type.fields.get(argument.wireName)
  const stored = field === undefined ? [] : samples(field)
  const one = (): Json => {
    if (argument.named.kind === 'enum') return random.pick(argument.named.values).name
    if (argument.named.name === 'ID') return idOf(maker, type)
    return stored.length === 0 ? null : random.pick(stored)
  }
  const value = kind !== 'list' || field?.list === true ? one() : Array.from({ length: random.below(3) }, one)
  return value !== null || nullable ? value : undefined
}

/** All that tells pages apart. */
const ORDERED: readonly WrapperMember[] = [
  {
    key: 'edges',
    name: 'edges',
    members: [
      { key: 'cursor', name: 'cursor' },
      { key: 'node', name: 'node' },
    ],
  },
  {
    key: 'pageInfo',
    name: 'pageInfo',
    members: [
      { key: 'hasNextPage', name: 'hasNextPage' },
      { key: 'hasPreviousPage', name: 'hasPreviousPage' },
      { key: 'startCursor', name: 'startCursor' },
      { key: 'endCursor', name: 'endCursor' },
    ],
  },
  { key: 'totalCount', name: 'totalCount' },
]

const COUNTED: readonly WrapperMember[] = [
  { key: 'items', name: 'items' },
  { key: 'totalCount', name: 'totalCount' },
]

/** Members of a connection or of a counted list. */
function makeWrapper(maker: Maker, query: QueryModel, args: ListArguments): readonly WrapperMember[] | null {
  const { random, coverage } = maker
  if (!query.list) return null
  const keys = new Set<string>()
  if (!query.relay) {
    if (!query.autoParams.total_count) return null
    coverage.note('counted list')
    const names = random.pick([
      ['items'],
      ['totalCount'],
      ['items', 'totalCount'],
      ['totalCount', '__typename', 'items'],
    ] as const)
    return names.map((name) => ({ key: makeKey(maker, name, keys), name }))
  }
  if (args.orderBy !== undefined) return ORDERED
  const wanted = random.some(['edges', 'edges', 'pageInfo', 'totalCount', '__typename'] as const, 1 + random.below(4))
  return [...new Set(wanted)].map((name): WrapperMember => {
    const key = makeKey(maker, name, keys)
    coverage.note(`connection: ${name}`)
    const own = new Set<string>()
    if (name === 'edges') {
      const members = random.some(['node', 'cursor', '__typename'] as const, 1 + random.below(3))
      return { key, name, members: members.map((member) => ({ key: makeKey(maker, member, own), name: member })) }
    }
    if (name !== 'pageInfo') return { key, name }
    const all = ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor', '__typename'] as const
    const members = random.some(all, 1 + random.below(5))
    return { key, name, members: members.map((member) => ({ key: makeKey(maker, member, own), name: member })) }
  })
}

/** The same request with other values in the place of its variables: the same document, mostly. */
export function withOtherVariables(maker: Maker, request: Request): Request {
  const { random } = maker
  const roots = request.roots.map((root): Root => {
    if (root.kind === 'typename') return root
    if (root.kind === 'numbers') return { ...root, numbers: numbersWithOthers(maker, root.numbers) }
    const of = selectionWithOthers(maker, root.of)
    if (root.kind === 'node')
      return { ...root, of, id: root.id.as === 'variable' ? { ...root.id, value: idOf(maker, root.type) } : root.id }
    const equals = root.equals.map((each) => equalityWithOthers(maker, root.query, each))
    return { ...root, of, equals, args: argumentsWithOthers(maker, root.args, root.query) }
  })
  // A plan that one caller has made serves the others.
  return { caller: random.chance(0.5) ? request.caller : random.pick(CALLERS), roots }
}

function selectionWithOthers(maker: Maker, selection: QueryRoot['of']): QueryRoot['of'] {
  const parts = selection.parts.map((part) => ({
    ...part,
    items: part.items.map((item) => ({
      ...item,
      ...(item.numbers === undefined ? {} : { numbers: numbersWithOthers(maker, item.numbers) }),
      args: argumentsWithOthers(maker, item.args, item.field),
      directive: directiveWithOthers(maker, item.directive),
      of: item.of === null ? null : selectionWithOthers(maker, item.of),
    })),
  }))
  return { ...selection, parts }
}

/** The plan depends on what becomes of it. */
function directiveWithOthers({ random }: Maker, directive: Item['directive']): Item['directive'] {
  if (directive?.if.as !== 'variable') return directive
  return { ...directive, if: { ...directive.if, value: random.chance(0.5) } }
}

function equalityWithOthers(maker: Maker, query: QueryModel, equality: Equality): Equality {
  const argument = query.arguments.get(equality.name)
  if (argument === undefined || equality.given.as !== 'variable' || maker.random.chance(0.3)) return equality
  const value = makeArgument(maker, query, argument)
  return value === undefined ? equality : { ...equality, given: { ...equality.given, value } }
}

/** @param of the query or the field whose arguments they are */
function argumentsWithOthers(maker: Maker, args: ListArguments, of: QueryModel | FieldModel | null): ListArguments {
  const { where, orderBy, limit, offset, first, last } = args
  const { random } = maker
  const sizes = [0, 1, 2, 3, 5, 10]
  const size = (name: 'limit' | 'offset' | 'first' | 'last', one: typeof limit): ListArguments =>
    one?.as === 'variable' ? { [name]: { ...one, value: random.chance(0.1) ? null : random.pick(sizes) } } : {}
  const filter = (): ListArguments => {
    if (where === undefined || where.value === null) return {}
    if (where.as === 'variable' && random.chance(0.1)) return { where: { ...where, value: null } }
    if (where.as === 'literal') return { where: { ...where, value: withOtherOperands(maker, where.value) } }
    if (where.as === 'default') return {}
    const other = random.chance(0.5) ? withOtherOperands(maker, where.value) : makeWhere(maker, where.value.type, 2)
    return { where: { ...where, value: other } }
  }
  const order = (): ListArguments => {
    if (orderBy?.as !== 'variable' || random.chance(0.4)) return {}
    const terms = makeOrder(maker, of?.named as RowType)
    return terms.length === 0 ? {} : { orderBy: { ...orderBy, value: terms } }
  }
  return {
    ...args,
    ...filter(),
    ...order(),
    ...size('limit', limit),
    ...size('offset', offset),
    ...size('first', first),
    ...size('last', last),
  }
}
