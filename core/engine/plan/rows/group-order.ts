import { didYouMean, listNames } from '../../../base/util/nearest.ts'
import type { AggregateOrder, Measure } from '../../../contract/operation.ts'
import type { Aggregate } from '../../../contract/plan/read-plan.ts'
import type { Aggregates, FieldFunction } from '../../../schema/aggregates-of.ts'
import { boundSortKeys } from '../context/limits.ts'
import { inputError, type PlanContext } from '../context/plan-context.ts'
import { entriesOf, itemsOf, type PlanValue } from '../context/plan-value.ts'
import type { AggregateColumns } from './aggregate-columns.ts'
import { readDirection } from './order.ts'

/**
 * Plans the order of groups: first the sort keys in `given`, then those of the argument `orderBy`, such as `{ count:
 * DESC }`, `{ sum: { price: DESC } }` or `{ keys: { genre: ASC } }`.
 * @param columns columns of the aggregate; the function adds those that are only sorted by
 * @param offered aggregates that the schema offers for the type
 * @param given sort keys that the plugin serving the protocol adds
 * @param wire the argument `orderBy` of the client
 * @throws SvcError BAD_USER_INPUT: a sort key is invalid; VALIDATION_ERROR: there are too many, or the schema does not
 * offer one
 */
export function planGroupOrder(
  context: PlanContext,
  columns: AggregateColumns,
  offered: Aggregates,
  given: readonly AggregateOrder[],
  wire: PlanValue,
): Aggregate['order'] {
  const said = given.map(({ by, direction }) => {
    columns.refuseClosed('key' in by ? by.key : by.field, 'orderBy')
    return { column: 'key' in by ? columns.knownKey(by.key, by.period ?? null) : columns.measure(by), direction }
  })
  const wanted = wire.sample === null || wire.sample === undefined ? [] : itemsOf(wire, context.variables)
  boundSortKeys(context, given.length + wanted.length, 'orderBy')
  const asked = wanted.map((item, index) => {
    const at = `orderBy[${index}]`
    const [name, value] = onlyEntry(context, item, at)
    if (name === 'count') {
      return {
        column: columns.measure({ function: 'count', field: null }),
        direction: readDirection(context, value.sample, `${at}.count`),
      }
    }
    const fields = name === 'keys' ? offered.keys : offered.measures.get(name as FieldFunction)
    if (fields === undefined) {
      throw unknown(context, `${at}.${name}`, name, ['keys', 'count', ...offered.measures.keys()])
    }
    const [wireName, direction] = onlyEntry(context, value, `${at}.${name}`)
    const found = fields.get(wireName)
    if (found === undefined) throw unknown(context, `${at}.${name}.${wireName}`, wireName, [...fields.keys()])
    const { field } = found
    columns.refuseClosed(field, 'orderBy')
    const column =
      name === 'keys'
        ? columns.knownKey(field, 'period' in found ? found.period : null)
        : columns.measure({ function: name as Measure['function'], field })
    return { column, direction: readDirection(context, direction.sample, `${at}.${name}.${wireName}`) }
  })
  // A repeated key has no effect on the order.
  const named = new Set<unknown>()
  return [...said, ...asked].filter(({ column }) => !named.has(column) && named.add(column))
}

function onlyEntry(context: PlanContext, value: PlanValue, place: string): readonly [string, PlanValue] {
  const [only, ...others] = entriesOf(value, context.variables) ?? []
  if (only !== undefined && others.length === 0) return only
  throw inputError(context, place, 'each element names exactly one thing, { count: DESC } or { sum: { price: DESC } }.')
}

function unknown(context: PlanContext, place: string, name: string, names: readonly string[]): Error {
  return inputError(
    context,
    place,
    `there is no sort key "${name}".${didYouMean(name, names)} It can be sorted by ${listNames(names)}.`,
  )
}
