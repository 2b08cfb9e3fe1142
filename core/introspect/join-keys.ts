import type { ModelForeignKey, ModelRelation } from '../contract/database-model.ts'

/** The two foreign keys of a join table, whose rows connect rows of two tables (many-to-many). */
export interface JoinKeys {
  readonly keys: readonly [ModelForeignKey, ModelForeignKey]
  /** Columns of both foreign keys, each once. */
  readonly pair: readonly string[]
  /** `true`: a unique key ensures that no two rows of the join table connect the same two rows. */
  readonly unique: boolean
  /** `true`: the table has no data of its own, only the two keys, a primary key column, and times with a default. */
  readonly bare: boolean
}

const TIMES = /^(?:date|timestamp|timestamptz)$/

/**
 * Returns the two foreign keys that make a table a join table: those that a primary or unique key of the table covers,
 * otherwise the only two that the table has.
 * @returns `null`: the table is no join table, because it has no such keys, or because one of them is unique, so that
 * the relation is not many-to-many
 */
export function joinKeysOf(relation: ModelRelation): JoinKeys | null {
  if (relation.kind !== 'table' && relation.kind !== 'partitioned table') return null
  const all = relation.foreignKeys
  const pairs = all.flatMap((left, i) => all.slice(i + 1).map((right) => [left, right] as const)).filter(isPair)
  const uniques = [relation.primaryKey, ...relation.uniqueKeys].filter((key) => key.length > 0)
  const within = (key: readonly string[], columns: readonly string[]): boolean =>
    key.every((name) => columns.includes(name))
  const unique = pairs.filter((keys) => uniques.some((key) => within(key, columnsOf(keys))))
  const found = unique.length > 0 ? unique : all.length === 2 ? pairs : []
  const [keys] = found
  if (keys === undefined || found.length > 1) return null
  if (keys.some(({ columns }) => uniques.some((key) => within(key, columns)))) return null
  return { keys, pair: columnsOf(keys), unique: unique.length > 0, bare: isBare(relation, columnsOf(keys)) }
}

function columnsOf(keys: JoinKeys['keys']): readonly string[] {
  return [...new Set(keys.flatMap(({ columns }) => columns))]
}

/** Has each key a column that the other one lacks? They may share a column such as `tenant_id`. */
function isPair(keys: JoinKeys['keys']): boolean {
  const [left, right] = keys
  return columnsOf(keys).length > Math.max(left.columns.length, right.columns.length)
}

function isBare({ columns, primaryKey }: ModelRelation, pair: readonly string[]): boolean {
  return columns.every(
    ({ name, type, hasDefault }) =>
      pair.includes(name) || (primaryKey.length === 1 && primaryKey[0] === name) || (TIMES.test(type) && hasDefault),
  )
}
