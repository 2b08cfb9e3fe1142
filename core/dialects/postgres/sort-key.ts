import type { Target } from '../../contract/plan/stored-value.ts'
import { type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { PageKey } from '../primitives.ts'
import type { SqlValue } from '../sql-value.ts'
import { castParameter, comparable, comparedType } from './comparable.ts'
import { cast } from './types.ts'

/** Types whose JSON form is ISO 8601 with every `DateStyle` of the session. */
const DATES = new Set(['timestamptz', 'timestamp', 'date'])

/** Makes a sort key of a keyset page. It sorts as {@link comparable} compares. */
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
