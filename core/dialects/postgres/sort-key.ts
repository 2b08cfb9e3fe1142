import type { Target } from '../../plan/rows/stored-value.ts'
import { type SqlFragment, sql } from '../../sql/fragment.ts'
import type { PageKey } from '../primitives.ts'
import type { SqlValue } from '../sql-value.ts'
import { castParameter, comparable, comparedType } from './comparable.ts'
import { cast } from './types.ts'

/** Types whose JSON form is ISO 8601, whatever the session says of dates. */
const DATES = new Set(['timestamptz', 'timestamp', 'date'])

/** A sort key of a page by keyset, as {@link comparable} has it sorted. */
export function sortKey(target: Omit<Target, 'value'>, given: SqlValue): PageKey {
  const { value, type } = sorted(target, given)
  const iso = type !== null && DATES.has(type)
  return {
    value,
    text: iso ? sql`(to_json(${value}) #>> '{}')` : cast(value, 'text'),
    operand: (slot) => castParameter(slot, type),
  }
}

function sorted(
  target: Omit<Target, 'value'>,
  given: SqlValue,
): { readonly value: SqlFragment; readonly type: string | null } {
  const { named, type } = target
  if (given.from === 'document') {
    // A key by itself has no scalar that says how it is compared.
    const value = named === null && type !== null && type !== 'text' ? cast(given.text, type) : null
    return { value: value ?? comparable(target, given).value, type: type ?? 'text' }
  }
  const { value } = comparable(target, given)
  const isDay = named?.kind === 'scalar' && named.base === 'Date' && given.type?.startsWith('timestamp') === true
  return { value, type: isDay ? 'date' : comparedType(given.type) }
}
