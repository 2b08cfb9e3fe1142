import type { CatalogReader, DescribedColumn } from './catalog-reader.ts'

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

const DEFINITIONS = `
SELECT c.oid, pg_catalog.pg_get_viewdef(c.oid) FROM pg_catalog.pg_class c
WHERE c.oid = ANY ($1::oid[]) AND c.relkind = 'v'`

/** What can put a NULL where the column that is referred to has none, or mix rows of several sources. */
const MAY_ADD_NULLS = /\b(?:LEFT|RIGHT|FULL)\s+(?:OUTER\s+)?JOIN\b|\b(?:UNION|INTERSECT|EXCEPT|GROUPING|ROLLUP|CUBE)\b/i

/** Views over views deeper than this claim nothing. */
const MAX_DEPTH = 32

/** Tells whether a column is proven to have no NULLs. */
export type NotNull = (relation: string, attribute: number) => boolean

/**
 * Proves columns of tables and views NOT NULL. A column of a view is when it is a plain reference to such a column
 * and nothing in the view's definition can add a NULL. Never claims it wrongly; what cannot be proven is not claimed.
 * @param oids `pg_class.oid` of the relations that are asked about
 */
export async function proveNotNull(reader: CatalogReader, oids: readonly string[]): Promise<NotNull> {
  const stored = new Set<string>()
  const views = new Map<string, readonly DescribedColumn[] | null>()
  const seen = new Set<string>()
  let level = [...new Set(oids)]
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    for (const oid of level) seen.add(oid)
    for (const [relation, attribute] of await reader.query(STORED, [level])) stored.add(`${relation}.${attribute}`)
    const next = new Set<string>()
    for (const [oid, definition] of await reader.query(DEFINITIONS, [level])) {
      const columns = MAY_ADD_NULLS.test(definition!) ? null : await reader.describe(definition!)
      views.set(oid!, columns)
      for (const column of columns ?? []) if (column.relation !== 0) next.add(String(column.relation))
    }
    level = [...next].filter((oid) => !seen.has(oid))
  }
  return function isNotNull(relation: string, attribute: number): boolean {
    let oid = relation
    let column = attribute
    for (let depth = 0; depth <= MAX_DEPTH; depth++) {
      if (stored.has(`${oid}.${column}`)) return true
      const source = views.get(oid)?.[column - 1]
      if (source === undefined || source.relation === 0) return false
      oid = String(source.relation)
      column = source.attribute
    }
    return false
  }
}
