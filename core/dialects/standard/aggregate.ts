import type { AggregateFunction } from '../../contract/operation.ts'
import type { Target } from '../../contract/plan/stored-value.ts'
import { EMPTY, literal, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { Period } from '../../schema/group-keys.ts'
import type { GroupKey } from '../primitives.ts'
import type { ComparedKeys, LookupTexts, SqlValue } from '../sql-value.ts'
import { AVERAGE, inUtc } from './comparable.ts'
import type { FullStandardSql } from './standard-sql.ts'

/** A time that rows are grouped by is in UTC. */
const TIMES = new Set(['timestamp', 'timestamptz'])

function typeOf(target: Target, value: SqlValue): string | null {
  return value.from === 'column' ? value.type : target.type
}

/** Writes a key that rows are grouped by: the value as it is compared, or the start of its period. */
export function groupKey(dialect: FullStandardSql, target: Target, value: SqlValue, period: Period | null): GroupKey {
  const { value: compared } = dialect.comparable(target, value)
  const type = typeOf(target, value)
  if (period === null) {
    const own = value.from === 'column' ? value.sql : compared
    return { by: own, value: own, type }
  }
  const time = TIMES.has(type ?? '') ? inUtc(dialect, compared, type) : compared
  const start = sql`date_trunc(${literal(period)}, ${time})`
  const shown = period === 'hour' ? start : dialect.cast(start, 'date')
  return { by: shown, value: shown, type: period === 'hour' ? 'timestamp' : 'date' }
}

/** Writes an aggregate function. Sums and averages of exact numbers are exact, as far as `numeric` has digits. */
export function measure(
  dialect: FullStandardSql,
  name: AggregateFunction,
  target: Target,
  value: SqlValue,
): Pick<GroupKey, 'value' | 'type'> {
  const { value: compared } = dialect.comparable(target, value)
  const type = target.named?.kind === 'scalar' && target.named.base === 'Float' ? 'float8' : 'numeric'
  switch (name) {
    case 'count':
      return { value: sql`count(${compared})`, type: 'int8' }
    case 'countDistinct':
      return { value: sql`count(DISTINCT ${compared})`, type: 'int8' }
    case 'sum':
      return { value: sql`sum(${type === 'float8' ? dialect.cast(compared, type) : compared})`, type }
    case 'avg':
      if (type === 'float8') return { value: sql`avg(${dialect.cast(compared, type)})`, type }
      return { value: dialect.average(compared), type: AVERAGE }
    case 'min':
      return { value: sql`min(${compared})`, type: typeOf(target, value) }
    case 'max':
      return { value: sql`max(${compared})`, type: typeOf(target, value) }
  }
}

/** Writes the JSON text of a list with one element per requested key, in the order of the keys. */
export function rowPerKey(
  dialect: FullStandardSql,
  parts: readonly ComparedKeys[],
  alias: SqlFragment,
  element: (matches: readonly SqlFragment[], given: readonly SqlFragment[]) => SqlFragment,
  given: readonly LookupTexts[],
): SqlFragment {
  const itemsOf = (slot: SqlFragment): SqlFragment => dialect.jsonItems(dialect.cast(slot, 'json'))
  const row = element(
    parts.map(({ keys, target }, index) => {
      // The list that is iterated already provides the value.
      if (index === 0) return sql`${target.value} = ${target.operand(sql`${alias}.t`)}`
      return sql`${target.value} = (SELECT l$.v FROM ${target.list(keys)} l$ WHERE l$.n = ${alias}.n)`
    }),
    given.map(({ texts, type }) =>
      dialect.cast(sql`(SELECT l$.t FROM ${itemsOf(texts)} l$ WHERE l$.n = ${alias}.n)`, type),
    ),
  )
  const rows = sql`SELECT ${row} AS v, ${alias}.n AS n FROM ${itemsOf(parts[0]!.keys)} ${alias}`
  const list = dialect.jsonList(sql`k$.v`, sql` ORDER BY k$.n`, EMPTY)
  return dialect.cast(sql`(SELECT ${list} FROM (${rows}) k$)`, 'text')
}
