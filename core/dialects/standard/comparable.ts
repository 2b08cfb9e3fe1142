import type { Target } from '../../contract/plan/stored-value.ts'
import { type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { PageKey } from '../page-sql.ts'
import type { Comparable, SqlValue } from '../sql-value.ts'
import type { FullStandardSql } from './standard-sql.ts'

type Compared = Omit<Target, 'value'>

/** Type of an average of exact numbers: a `numeric` whose number of digits says nothing. */
export const AVERAGE = 'average'

/** Writes a stored point in time as one without a time zone, in UTC. */
export function inUtc(dialect: FullStandardSql, value: SqlFragment, type: string | null): SqlFragment {
  if (type === 'timestamp') return value
  if (type === 'date') return dialect.cast(value, 'timestamp')
  return sql`(${dialect.cast(value, 'timestamptz')} AT TIME ZONE 'UTC')`
}

/**
 * Returns the SQL of a stored value for a comparison. A column keeps its own type, so that an index of it is usable, and
 * the operand is cast to that type. A key of a JSON document is cast to the type of the field.
 */
export function comparable(dialect: FullStandardSql, target: Compared, stored: SqlValue): Comparable {
  const { value, type } = comparedValue(dialect, target, stored)
  const plain = stored.from === 'column' ? stored.sql : stored.text
  const operand = (slot: SqlFragment): SqlFragment => operandOf(dialect, slot, type)
  return {
    value,
    text: type === 'text' ? value : dialect.cast(plain, 'text'),
    operand,
    // A table of values `v` and their positions `n`.
    list: (slot) =>
      sql`(SELECT ${operand(sql`e$.t`)} AS v, e$.n AS n FROM ${dialect.jsonItems(dialect.cast(slot, 'json'))} e$)`,
  }
}

/** @returns the SQL of the value, and the type that it has; `null`: its type is unknown */
function comparedValue(
  dialect: FullStandardSql,
  { named, type }: Compared,
  stored: SqlValue,
): { readonly value: SqlFragment; readonly type: string | null } {
  if (stored.from === 'document') {
    const target = type === null ? undefined : dialect.types[type]
    if (target === undefined || type === 'text') return { value: stored.text, type: 'text' }
    return { value: dialect.tryCast(stored.text, target), type }
  }
  const own = stored.type === AVERAGE ? 'numeric' : (stored.type ?? type)
  if (named === null) return { value: stored.sql, type: own }
  if (named.kind === 'enum' || own?.startsWith('enum:') === true)
    return { value: own === 'text' ? stored.sql : dialect.cast(stored.sql, 'text'), type: 'text' }
  if (named.kind === 'scalar' && named.base === 'Date' && own?.startsWith('timestamp') === true)
    return { value: dialect.cast(inUtc(dialect, stored.sql, own), 'date'), type: 'date' }
  if (own !== null && dialect.types[own] === undefined) return { value: dialect.cast(stored.sql, 'text'), type: 'text' }
  return { value: stored.sql, type: own }
}

/** Casts the text of an operand to the type of the value. A time has a zone, which a column may lack. */
function operandOf(dialect: FullStandardSql, slot: SqlFragment, type: string | null): SqlFragment {
  if (type === 'timestamp') return inUtc(dialect, slot, 'text')
  const target = type === null ? undefined : dialect.types[type]
  return target === undefined ? slot : dialect.castOperand(slot, target)
}

/** Returns the sort key of a keyset page. Rows are sorted by it in the order in which filters compare values. */
export function sortKey(dialect: FullStandardSql, target: Compared, stored: SqlValue): PageKey {
  const { value, type } = comparedValue(dialect, target, stored)
  return {
    value,
    text: dialect.cast(value, 'text'),
    operand: (slot) => (type === null ? slot : dialect.cast(slot, type)),
  }
}
