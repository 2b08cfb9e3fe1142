import {
  type AggregateFunction,
  type ComparedKeys,
  type GroupKey,
  type LookupTexts,
  literal,
  type Period,
  type SqlFragment,
  type SqlValue,
  type Target,
} from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { comparable, comparedByType } from './comparable.ts'
import { cast, digitsOf } from './forms.ts'
import { kindOf } from './kind.ts'

/** A value as it is stored, with all its digits. */
function stored(value: SqlValue): SqlFragment {
  return value.from === 'column' ? value.sql : value.text
}

function typeOf(target: Target, value: SqlValue): string | null {
  return value.from === 'column' ? value.type : target.type
}

/**
 * Writes a GROUP BY key for SQLite that groups equal values even if they are stored in different notations. The group
 * returns one of them.
 * @param period unit to which times are truncated; `null`: not a time group
 */
export function groupKey(target: Target, value: SqlValue, period: Period | null): GroupKey {
  if (period !== null) return periodOf(comparable(target, value).value, period)
  const declared = typeOf(target, value)
  const kind = kindOf(target.named, declared)
  // A number in a document may be written as a text. It is shown as written, and no column has its type.
  const isWritten = value.from !== 'column' && (kind === 'integer' || kind === 'real')
  const by = comparable(target, value).value
  const spelling = kind === 'decimal' ? digitsOf(value) : stored(value)
  return { by, value: sql`min(${shown(by, spelling)})`, type: isWritten ? null : declared }
}

/** Makes a value NULL that the field does not show, so that it counts as a null. */
function shown(compared: SqlFragment, own: SqlFragment): SqlFragment {
  return compared === own ? own : sql`CASE WHEN ${compared} IS NOT NULL THEN ${own} END`
}

/** @param time a date, or a point in time in UTC, in canonical form */
function periodOf(time: SqlFragment, period: Period): GroupKey {
  const value = startOf(time, period)
  return { by: value, value, type: period === 'hour' ? 'timestamptz' : 'date' }
}

function startOf(time: SqlFragment, period: Period): SqlFragment {
  switch (period) {
    case 'year':
      return sql`substr(${time}, 1, 4) || '-01-01'`
    case 'quarter':
      return sql`substr(${time}, 1, 5) || printf('%02d', (CAST(substr(${time}, 6, 2) AS INTEGER) - 1) / 3 * 3 + 1) || '-01'`
    case 'month':
      return sql`substr(${time}, 1, 7) || '-01'`
    // The Sunday that ends the week, minus six days.
    case 'week':
      return sql`date(substr(${time}, 1, 10), 'weekday 0', '-6 days')`
    case 'day':
      return sql`substr(${time}, 1, 10)`
    case 'hour':
      return sql`substr(${time}, 1, 13) || ':00:00+00:00'`
  }
}

export function measure(name: AggregateFunction, target: Target, value: SqlValue): Pick<GroupKey, 'value' | 'type'> {
  const compared = name === 'min' || name === 'max' ? comparable(target, value).value : comparedByType(target, value)
  const base = target.named?.kind === 'scalar' ? target.named.base : ''
  const isExact = base === 'Int' || base === 'BigInt' || base === 'Decimal'
  const exact = (kind: string): SqlFragment =>
    sql`svc_exact(${literal(kind)}, json_group_array(${shown(compared, digitsOf(value))}))`
  switch (name) {
    case 'count':
      return { value: sql`count(${compared})`, type: 'int8' }
    case 'countDistinct':
      return { value: sql`count(DISTINCT ${compared})`, type: 'int8' }
    case 'sum':
      return isExact
        ? { value: exact(name), type: 'numeric' }
        : { value: sql`sum(CAST(${shown(compared, stored(value))} AS REAL))`, type: 'float8' }
    case 'avg':
      return isExact
        ? { value: exact(name), type: 'numeric' }
        : { value: sql`avg(CAST(${shown(compared, stored(value))} AS REAL))`, type: 'float8' }
    case 'min':
    case 'max': {
      const type = typeOf(target, value)
      if (base === 'Decimal') return { value: exact(name), type }
      return { value: name === 'min' ? sql`min(${compared})` : sql`max(${compared})`, type }
    }
  }
}

/**
 * Writes a SQLite list with one element per requested key, in their order.
 * @param parts columns of the key, with the values to look up
 * @param alias alias of the list of keys
 * @param element writes one element, from the conditions that find its row and the given key values
 * @param given the key values as texts
 */
export function rowPerKey(
  parts: readonly ComparedKeys[],
  alias: SqlFragment,
  element: (matches: readonly SqlFragment[], given: readonly SqlFragment[]) => SqlFragment,
  given: readonly LookupTexts[],
): SqlFragment {
  const row = element(
    parts.map(({ keys, target }, index) => {
      // The iterated list already provides the value. Looking it up again would make the time quadratic.
      if (index === 0) return sql`${target.value} IN (${target.operand(sql`${alias}.value`)})`
      const forms = sql`SELECT l$.v FROM ${target.list(keys)} l$ WHERE l$.n = ${alias}.key`
      return sql`${target.value} IN (${forms})`
    }),
    given.map(({ texts, type }) =>
      cast(sql`(SELECT l$.value FROM json_each(${texts}) l$ WHERE l$.key = ${alias}.key)`, type),
    ),
  )
  const rows = sql`SELECT ${row} AS v FROM json_each(${parts[0]!.keys}) ${alias} ORDER BY ${alias}.key`
  return sql`(SELECT json_group_array(json(k$.v)) FROM (${rows}) k$)`
}
