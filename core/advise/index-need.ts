import type { ModelIndex, ModelRelation } from '../contract/database-model.ts'
import type { AdviceRule } from './advice.ts'

/**
 * The kind of read that an index has to serve. `lookup`: equality on all columns. `order`: the first rows sorted by the
 * columns. The others are filters: on the start of a text, on a text pattern, on JSON, on lists, or by full-text search
 * (`words`).
 */
export type IndexUse = 'lookup' | 'order' | 'prefix' | 'pattern' | 'json' | 'json keys' | 'list' | 'words'

/** The columns of a table that a read filters or sorts by, and thus the index that it needs. */
export interface IndexNeed {
  readonly relation: ModelRelation
  readonly columns: readonly string[]
  readonly use: IndexUse
  /**
   * Columns that each such read also compares with a value, such as the tenant. An index that begins with these columns
   * serves the read too.
   */
  readonly fixed: ReadonlySet<string>
}

/**
 * An index that a read needs, with the schema element that causes the read (`usedBy`) and the rule under which a
 * missing index is reported.
 */
export interface FoundNeed extends IndexNeed {
  readonly rule: AdviceRule
  readonly usedBy: string
}

/**
 * Result of `servedBy`: an index serves the read (`yes`), only an index with a WHERE clause does (`partial`), or no
 * index does.
 */
export type Served = 'yes' | 'partial' | 'no'

/**
 * Tests whether the table already has an index for a read.
 * @param sortsBytes `true`: the database compares texts byte by byte, so that a plain index serves prefixes
 */
export function servedBy({ relation, columns, use, fixed }: IndexNeed, sortsBytes: boolean): Served {
  const serving = indexesOf(relation).filter((index) => serves(index, columns, use, fixed, sortsBytes))
  if (serving.length === 0) return 'no'
  return serving.some(({ partial }) => partial !== true) ? 'yes' : 'partial'
}

/** Returns the indexes, and the keys that have none in the model, such as the row id of SQLite. */
function indexesOf({ indexes, primaryKey, kind }: ModelRelation): readonly ModelIndex[] {
  if (kind === 'view' || primaryKey.length === 0) return indexes
  return [...indexes, { name: '', columns: primaryKey, unique: true, method: 'btree' }]
}

function serves(
  index: ModelIndex,
  columns: readonly string[],
  use: IndexUse,
  fixed: ReadonlySet<string>,
  sortsBytes: boolean,
): boolean {
  const classOf = (name: string): string | null => index.operatorClasses?.[index.columns.indexOf(name)] ?? null
  const isPattern = (name: string): boolean => classOf(name)?.endsWith('_pattern_ops') === true
  const [first] = columns as readonly [string]
  switch (use) {
    case 'lookup':
      if (index.method === 'hash') return columns.includes(index.columns[0]!)
      return index.method === 'btree' && looksUp(index, columns, fixed)
    case 'order':
      return index.method === 'btree' && sorts(index, columns, fixed) && !columns.some(isPattern)
    case 'prefix':
      if (serves(index, columns, 'pattern', fixed, sortsBytes)) return true
      return index.method === 'btree' && sorts(index, columns, fixed) && (sortsBytes || isPattern(first))
    case 'pattern':
      return index.columns.includes(first) && classOf(first)?.endsWith('_trgm_ops') === true
    case 'json keys':
      return index.method === 'gin' && index.columns.includes(first) && classOf(first) === null
    case 'json':
    case 'list':
      return index.method === 'gin' && index.columns.includes(first)
    case 'words':
      return /^(?:gin|gist|rum)$/.test(index.method) && index.columns.includes(first)
  }
}

/** Does the index begin with the columns, in any order, or identify a row by some of them? */
function looksUp({ columns, unique }: ModelIndex, wanted: readonly string[], fixed: ReadonlySet<string>): boolean {
  const known = columns.findIndex((name) => !wanted.includes(name) && !fixed.has(name))
  const leading = known < 0 ? columns : columns.slice(0, known)
  if (unique && known < 0) return true
  return wanted.every((name) => leading.includes(name))
}

/** Does the index have this order, after columns with a fixed value, or up to a column that identifies the row? */
function sorts({ columns, unique }: ModelIndex, wanted: readonly string[], fixed: ReadonlySet<string>): boolean {
  let at = 0
  while (at < columns.length && columns[at] !== wanted[0] && fixed.has(columns[at]!)) at++
  const rest = columns.slice(at)
  if (unique && rest.length > 0 && rest.length <= wanted.length) return rest.every((name, i) => wanted[i] === name)
  return wanted.every((name, i) => rest[i] === name)
}
