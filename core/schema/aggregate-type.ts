import type { FieldModel } from './model.ts'
import { isManyValued, scalarOf } from './scalars.ts'

/** `sum` and `avg` are of numbers, `min` and `max` of what has an order. */
export type AggregateFunction = 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max'

/** Groups of scalars that have an order which every database agrees on. */
const ORDERED = new Set(['number', 'string', 'datetime', 'date', 'time'])

/**
 * Name of the scalar that an aggregate of a field is. Exact numbers stay exact: a sum of `Int` is a `BigInt`, a sum of `BigInt` and
 * the average of what is exact are `Decimal`.
 * @returns `null`: there is no such aggregate. For fronts, which offer what there is
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
  // A scalar that writes itself means something by its values that their order and sum need not mean.
  if (named.kind === 'enum' || named.codec?.serialize !== undefined || !ORDERED.has(scalarOf(named).group)) return null
  if (measure === 'min' || measure === 'max') return named.name
  if (scalarOf(named).group !== 'number') return null
  if (named.base === 'Float') return 'Float'
  return measure === 'sum' && named.base === 'Int' ? 'BigInt' : 'Decimal'
}

/** Can rows be grouped by it? */
export function isGroupKey({
  named,
  list,
  read,
  place,
}: Pick<FieldModel, 'named' | 'list' | 'read' | 'place'>): boolean {
  if (list || place !== null || read === null || read.from === 'relation') return false
  return named.kind === 'enum' || (named.kind === 'scalar' && !isManyValued(scalarOf(named)))
}
