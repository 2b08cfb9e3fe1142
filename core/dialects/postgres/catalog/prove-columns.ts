import type { CatalogReader, DescribedColumn } from './catalog-reader.ts'
import { isRowForRow } from './is-row-for-row.ts'

/**
 * NOT NULL of stored columns, only where it holds for every row that a query can see: not for foreign tables (nobody
 * checks them), not where a child table may have dropped it, not while the constraint is unvalidated.
 */
const STORED = `
SELECT a.attrelid, a.attnum
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
WHERE a.attrelid = ANY ($1::oid[]) AND a.attnotnull AND a.attnum > 0 AND NOT a.attisdropped
  AND (c.relkind = 'p' OR c.relkind = 'r' AND NOT c.relhassubclass)
  AND NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_constraint k
    WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND a.attnum = ANY (k.conkey) AND NOT k.convalidated)`

/** Columns that an index keeps unique by themselves, of relations whose rows are all in it. */
const UNIQUE = `
SELECT i.indrelid, i.indkey[0]
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
WHERE i.indrelid = ANY ($1::oid[]) AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL
  AND i.indnkeyatts = 1 AND i.indkey[0] > 0
  AND (c.relkind IN ('p', 'm') OR c.relkind = 'r' AND NOT c.relhassubclass)`

const SET_RETURNING = 'SELECT DISTINCT proname FROM pg_catalog.pg_proc WHERE proretset'

const DEFINITIONS = `
SELECT c.oid, pg_catalog.pg_get_viewdef(c.oid) FROM pg_catalog.pg_class c
WHERE c.oid = ANY ($1::oid[]) AND c.relkind = 'v'`

/** What can put a NULL where the column that is referred to has none, or mix rows of several sources. */
const MAY_ADD_NULLS = /\b(?:LEFT|RIGHT|FULL)\s+(?:OUTER\s+)?JOIN\b|\b(?:UNION|INTERSECT|EXCEPT|GROUPING|ROLLUP|CUBE)\b/i

/** Views over views deeper than this claim nothing. */
const MAX_DEPTH = 32

type Proof = (relation: string, attribute: number) => boolean

/** Tells what is proven of a column, by `pg_class.oid` and `pg_attribute.attnum`. */
export interface ColumnProofs {
  /** It has no NULLs. */
  readonly isNotNull: Proof
  /** No two rows have the same value; NULLs do not count. */
  readonly isUnique: Proof
}

/**
 * Proves columns of tables and views NOT NULL and unique. A column of a view is when it is a plain reference to such a
 * column, and nothing in the view's definition can add a NULL, or a row. Never claims it wrongly; what cannot be proven
 * is not claimed.
 * @param oids `pg_class.oid` of the relations that are asked about
 */
export async function proveColumns(reader: CatalogReader, oids: readonly string[]): Promise<ColumnProofs> {
  const stored = new Set<string>()
  const unique = new Set<string>()
  const rowForRow = new Set<string>()
  const setReturning = new Set((await reader.query(SET_RETURNING, [])).map(([name]) => name!))
  const views = new Map<string, readonly DescribedColumn[] | null>()
  const seen = new Set<string>()
  let level = [...new Set(oids)]
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    for (const oid of level) seen.add(oid)
    for (const [relation, attribute] of await reader.query(STORED, [level])) stored.add(`${relation}.${attribute}`)
    for (const [relation, attribute] of await reader.query(UNIQUE, [level])) unique.add(`${relation}.${attribute}`)
    const next = new Set<string>()
    for (const [oid, definition] of await reader.query(DEFINITIONS, [level])) {
      const columns = MAY_ADD_NULLS.test(definition!) ? null : await reader.describe(definition!)
      views.set(oid!, columns)
      if (isRowForRow(definition!, setReturning)) rowForRow.add(oid!)
      for (const column of columns ?? []) if (column.relation !== 0) next.add(String(column.relation))
    }
    level = [...next].filter((oid) => !seen.has(oid))
  }
  /** @param through views that keep what is to be proven; `null` = all of them */
  const follow =
    (proven: ReadonlySet<string>, through: ReadonlySet<string> | null): Proof =>
    (relation, attribute) => {
      let oid = relation
      let column = attribute
      for (let depth = 0; depth <= MAX_DEPTH; depth++) {
        if (proven.has(`${oid}.${column}`)) return true
        if (through !== null && !through.has(oid)) return false
        const source = views.get(oid)?.[column - 1]
        if (source === undefined || source.relation === 0) return false
        oid = String(source.relation)
        column = source.attribute
      }
      return false
    }
  return { isNotNull: follow(stored, null), isUnique: follow(unique, rowForRow) }
}
