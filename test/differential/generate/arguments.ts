import type { FieldModel, QueryModel } from '../../../core/doors/plugin.ts'
import { DIRECTIONS, type Given, type ListArguments, type OrderTerm, type RowType } from '../request.ts'
import { kindOf, type Maker, makeWhere } from './filters.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Filter, order and page of a list. @param place names it in the coverage */
export function makeListArguments(maker: Maker, of: QueryModel | FieldModel, place: 'root' | 'nested'): ListArguments {
  const { random, coverage } = maker
  const args: Mutable<ListArguments> = {}
  const auto = 'autoParams' in of ? of.autoParams : { where: true, order_by: true, limit: true, offset: true }
  const { named } = of
  const isRelay = 'relay' in of && of.relay
  if (named.kind !== 'union') {
    const type = named as RowType
    if (auto.where && random.chance(0.6)) args.where = given(maker, makeFilter(maker, type, place))
    if (auto.order_by && random.chance(0.5)) {
      const terms = makeOrder(maker, type)
      if (terms.length > 0) args.orderBy = given(maker, terms)
    }
  }
  if (isRelay) return { ...args, ...makeConnectionPage(maker, of, args.orderBy !== undefined) }
  if (auto.limit && random.chance(0.5)) args.limit = given(maker, random.pick([0, 1, 2, 3, 5, 10]), [null])
  if (auto.offset && random.chance(0.3)) args.offset = given(maker, random.pick([0, 1, 2, 5, 100]), [null])
  const page = [
    args.limit == null ? '' : args.limit.value === 0 ? 'limit 0' : 'limit',
    args.offset == null ? '' : 'offset',
  ]
  coverage.note(`page of a ${place} list: ${page.filter(Boolean).join(', ') || 'whole'}`)
  return args
}

function makeFilter(maker: Maker, type: RowType, place: string): ReturnType<typeof makeWhere> | null {
  if (maker.random.chance(0.03)) {
    maker.coverage.note('where null')
    return null
  }
  maker.coverage.note(`where of a ${place} list`)
  return makeWhere(maker, type, place === 'root' ? 3 : 2)
}

/** Name of an order in the coverage. */
export function orderName(field: FieldModel, direction: string): string {
  return `order ${direction} of ${kindOf(field)}`
}

/** Fields that rows can be sorted by. */
export function sortableFields(type: RowType): readonly FieldModel[] {
  return [...type.fields.values()].filter(
    ({ orderable, list, read, named }) =>
      orderable &&
      !list &&
      read !== null &&
      read.from !== 'relation' &&
      (named.kind === 'enum' || (named.kind === 'scalar' && named.base !== 'JSON')),
  )
}

export function makeOrder(maker: Maker, type: RowType): readonly OrderTerm[] {
  const { random, coverage } = maker
  const fields = sortableFields(type)
  const all = fields.flatMap((field) => DIRECTIONS.map((direction) => ({ field, direction })))
  const terms = Array.from({ length: fields.length === 0 ? 0 : random.pick([1, 1, 2, 2, 3]) }, () =>
    coverage.rarest(random, all, ({ field, direction }) => orderName(field, direction)),
  )
  for (const { field, direction } of terms) coverage.note(orderName(field, direction))
  if (terms.length > 1) coverage.note('order by several keys')
  return terms
}

/** @param ordered by the client: then its cursors are not known before it was asked */
function makeConnectionPage(maker: Maker, query: QueryModel, ordered: boolean): ListArguments {
  const { random, coverage } = maker
  const cursors = ordered ? [] : maker.cursors(query)
  const size = (): Given<number | null> => given(maker, random.pick([0, 1, 2, 3, 5, 30]), [null])
  const form = random.pick(['none', 'first', 'first', 'last', 'last', 'both'] as const)
  const bound = (name: 'after' | 'before', probability: number): ListArguments => {
    if (cursors.length === 0 || random.chance(1 - probability)) return {}
    coverage.note(`page of a connection: ${form} ${name}`)
    return { [name]: given(maker, random.pick(cursors), [null]) }
  }
  coverage.note(`page of ${ordered ? 'an ordered' : 'a'} connection: ${form}`)
  if (form === 'none') return { ...bound('after', 0.3), ...bound('before', 0.2) }
  if (form === 'both')
    return { first: given(maker, random.pick([1, 2, 5])), last: given(maker, 2), ...bound('after', 0.3) }
  const bounds = { ...bound('after', form === 'first' ? 0.6 : 0.25), ...bound('before', form === 'last' ? 0.6 : 0.25) }
  return form === 'first' ? { first: size(), ...bounds } : { last: size(), ...bounds }
}

/** @param others values that stand in its place now and then */
export function given<T>({ random, coverage }: Maker, value: T, others: readonly T[] = []): Given<T> {
  const as = random.pick(['literal', 'variable', 'variable', 'default'] as const)
  coverage.note(`given as ${as}`)
  return { value: others.length > 0 && random.chance(0.05) ? random.pick(others) : value, as }
}
