import type { ModelForeignKey, ModelRelation } from '../contract/database-model.ts'

/** The two foreign keys of a table whose rows relate rows of two tables. */
export interface JoinKeys {
  readonly keys: readonly [ModelForeignKey, ModelForeignKey]
  /** Columns of both keys. */
  readonly pair: readonly string[]
  /** No two rows relate the same rows. */
  readonly unique: boolean
  /** The table holds nothing else: only a number of its own, and times with a default. */
  readonly bare: boolean
}

const TIMES = /^(?:date|timestamp|timestamptz)$/

/**
 * Returns the foreign keys that make a table a join table: the only two that a key of the table consists of, or the only two of a table
 * without such a key.
 * @returns `null`: it is none, because it has no such keys, or because a row on one side has at most one on the other
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
