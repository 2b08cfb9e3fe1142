import type { FieldModel } from './model.ts'
import { isManyValued, scalarOf } from './scalars.ts'

/** Aggregate functions over rows. `sum` and `avg` apply to numbers, `min` and `max` to values that have an order. */
export type AggregateFunction = 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max'

/** Groups of scalars whose order is the same in every database. */
const ORDERED = new Set(['number', 'string', 'datetime', 'date', 'time'])

/**
 * Returns the scalar that an aggregate function over a field returns. Exact numbers stay exact: a sum of `Int` is a
 * `BigInt`; a sum of `BigInt` and an average of exact numbers are `Decimal`.
 * @returns `null`: the function does not apply to the field, so clients are not offered it
 */
export function aggregateType(
  measure: AggregateFunction,
  field: Pick<FieldModel, 'named' | 'list' | 'read' | 'place'>,
): string | null {
  const { named, list, read, place } = field
  if (list || read === null || read.from === 'relation' || (named.kind !== 'scalar' && named.kind !== 'enum'))
    return null
  const isMany = named.kind === 'scalar' && isManyValued(scalarOf(named))
  if (measure === 'count') return 'Int'
  if (isMany || place !== null) return null
  if (measure === 'countDistinct') return 'Int'
  // A custom scalar with `serialize` shows other values than the stored ones, whose order and sum may have no meaning.
  if (named.kind === 'enum' || named.codec?.serialize !== undefined || !ORDERED.has(scalarOf(named).group)) return null
  if (measure === 'min' || measure === 'max') return named.name
  if (scalarOf(named).group !== 'number') return null
  if (named.base === 'Float') return 'Float'
  return measure === 'sum' && named.base === 'Int' ? 'BigInt' : 'Decimal'
}

/**
 * Tests whether an aggregate query can group rows by the field: a single scalar or enum, but no relation, JSON, vector
 * or geometry.
 */
export function isGroupKey({
  named,
  list,
  read,
  place,
}: Pick<FieldModel, 'named' | 'list' | 'read' | 'place'>): boolean {
  if (list || place !== null || read === null || read.from === 'relation') return false
  return named.kind === 'enum' || (named.kind === 'scalar' && !isManyValued(scalarOf(named)))
}
