import type { CatalogReader, DescribedColumn } from './catalog-reader.ts'
import { isRowForRow } from './is-row-for-row.ts'
import { type IsKey, resolveJoins } from './resolve-joins.ts'

/**
 * Selects stored columns that are NOT NULL in every row that a query can see. It omits foreign tables (PostgreSQL does not check their
 * rows), tables with a child table that may lack the constraint, and constraints that are not validated.
 */
const STORED = `
SELECT a.attrelid, a.attnum
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
WHERE a.attrelid = ANY ($1::oid[]) AND a.attnotnull AND a.attnum > 0 AND NOT a.attisdropped
  AND (c.relkind = 'p' OR c.relkind = 'r' AND NOT c.relhassubclass)
  AND NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_constraint k
    WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND a.attnum = ANY (k.conkey) AND NOT k.convalidated)`

/** Selects sets of columns with a unique index that covers all rows of the relation. */
const UNIQUE = `
SELECT i.indrelid, keys.attributes
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
CROSS JOIN LATERAL (
  SELECT string_agg(k::text, ' ') AS attributes, min(k) AS least
  FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS u(k, n) WHERE n <= i.indnkeyatts) AS keys
WHERE i.indrelid = ANY ($1::oid[]) AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL
  AND keys.least > 0
  AND (c.relkind IN ('p', 'm') OR c.relkind = 'r' AND NOT c.relhassubclass)`

const TABLES = `
SELECT oid FROM pg_catalog.pg_class
WHERE oid = ANY ($1::oid[]) AND (relkind = 'p' OR relkind = 'r' AND NOT relhassubclass)`

const SET_RETURNING = 'SELECT DISTINCT proname FROM pg_catalog.pg_proc WHERE proretset'

const DEFINITIONS = `
SELECT c.oid, pg_catalog.pg_get_viewdef(c.oid) FROM pg_catalog.pg_class c
WHERE c.oid = ANY ($1::oid[]) AND c.relkind = 'v'`

/** Matches clauses that can turn a column of the source into NULL, or mix rows of several sources. */
const MAY_ADD_NULLS = /\b(?:LEFT|RIGHT|FULL)\s+(?:OUTER\s+)?JOIN\b|\b(?:UNION|INTERSECT|EXCEPT|GROUPING|ROLLUP|CUBE)\b/i

/** Limit of nested views. Nothing is proven for views beyond it. */
const MAX_DEPTH = 32

type Proof = (relation: string, attribute: number) => boolean

/**
 * Tests for properties of the columns of tables and views. Each test takes `pg_class.oid` of the relation and
 * `pg_attribute.attnum` of the column; `false` means that the property is not proven.
 */
export interface ColumnProofs {
  /** Returns `true` if the column is NOT NULL in every row that a query can return. */
  readonly isNotNull: Proof
  /**
   * Returns `true` if the column may be NULL: its table allows NULL, or it is on the optional side of an outer join of
   * a view.
   */
  readonly isNullable: Proof
  /** Returns `true` if no two rows have the same value in the column, except for NULL. */
  readonly isUnique: Proof
  /** Returns the column of a table whose values a column shows; of a column that is computed, the column itself. */
  readonly originOf: (relation: string, attribute: number) => { readonly relation: string; readonly attribute: number }
  /** Returns the keys of a relation that consist of several columns, each as a list of `pg_attribute.attnum`. */
  readonly compositeKeys: (relation: string) => readonly (readonly number[])[]
}

/** A column of a view that is a plain reference to a column of an underlying relation. */
interface Followed extends DescribedColumn {
  /** Every row of the view has a row of the underlying relation (no outer join on its optional side). */
  readonly always: boolean
  /** No two rows of the view show the same row of the underlying relation. */
  readonly rowForRow: boolean
  /** The view may omit rows in which the column is NULL. */
  readonly filtered: boolean
}

/**
 * Finds out which columns of tables and views are NOT NULL or unique, from constraints, unique indexes and view
 * definitions. A column of a view inherits the property if it is a plain reference to a column that has it, and if the
 * definition of the view cannot add a NULL or repeat a row.
 * @param oids `pg_class.oid` of the tables and views to check; relations under a view are read as needed, up to 32
 * levels
 */
export async function proveColumns(reader: CatalogReader, oids: readonly string[]): Promise<ColumnProofs> {
  const stored = new Set<string>()
  const keys = new Map<string, string[]>()
  const tables = new Set<string>()
  const views = new Map<string, () => readonly Followed[]>()
  const proofs = followProofs(stored, keys, tables, views)
  const setReturning = new Set((await reader.query(SET_RETURNING, [])).map(([name]) => name!))
  const seen = new Set<string>()
  let level = [...new Set(oids)]
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    for (const oid of level) seen.add(oid)
    for (const [relation, attribute] of await reader.query(STORED, [level])) stored.add(`${relation}.${attribute}`)
    for (const [relation, attributes] of await reader.query(UNIQUE, [level]))
      keys.set(relation!, [...(keys.get(relation!) ?? []), attributes!])
    for (const [oid] of await reader.query(TABLES, [level])) tables.add(oid!)
    const next = new Set<string>()
    for (const [oid, definition] of await reader.query(DEFINITIONS, [level])) {
      const filtered = /\bWHERE\b/i.test(definition!)
      const joins = await resolveJoins(reader, definition!, setReturning)
      if (joins !== null) {
        views.set(
          oid!,
          once(() => joins.columns(proofs.isKey).map((column) => ({ ...column, filtered }))),
        )
        for (const { relation } of joins.relations) next.add(relation)
        continue
      }
      const rowForRow = isRowForRow(definition!, setReturning)
      const described = MAY_ADD_NULLS.test(definition!) ? [] : ((await reader.describe(definition!)) ?? [])
      const columns = described.map((column) => ({ ...column, always: true, rowForRow, filtered }))
      views.set(oid!, () => columns)
      for (const column of columns) if (column.relation !== 0) next.add(String(column.relation))
    }
    level = [...next].filter((oid) => !seen.has(oid))
  }
  return proofs
}

/** Computes a value on the first call and caches it. An underlying relation may be a view of joins, which is read only when needed. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function followProofs(
  stored: ReadonlySet<string>,
  keys: ReadonlyMap<string, readonly string[]>,
  tables: ReadonlySet<string>,
  views: ReadonlyMap<string, () => readonly Followed[]>,
): ColumnProofs & { readonly isKey: IsKey } {
  const follow =
    (proven: (relation: string, attribute: number) => boolean, through: (column: Followed) => boolean): Proof =>
    (relation, attribute) => {
      let oid = relation
      let column = attribute
      for (let depth = 0; depth <= MAX_DEPTH; depth++) {
        if (proven(oid, column)) return true
        const source = views.get(oid)?.()[column - 1]
        if (source === undefined || source.relation === 0 || !through(source)) return false
        oid = String(source.relation)
        column = source.attribute
      }
      return false
    }
  const isUnique = follow(
    (oid, column) => keys.get(oid)?.includes(String(column)) === true,
    ({ rowForRow }) => rowForRow,
  )
  return {
    isNotNull: follow(
      (oid, column) => stored.has(`${oid}.${column}`),
      ({ always }) => always,
    ),
    isNullable: (relation, attribute) => {
      let [oid, column] = [relation, attribute]
      for (let depth = 0; depth <= MAX_DEPTH; depth++) {
        const columns = views.get(oid)
        if (columns === undefined) return tables.has(oid) && !stored.has(`${oid}.${column}`)
        const source = columns()[column - 1]
        if (source === undefined || source.relation === 0 || source.filtered) return false
        if (!source.always) return true
        oid = String(source.relation)
        column = source.attribute
      }
      return false
    },
    isUnique,
    originOf: (relation, attribute) => {
      let [oid, column] = [relation, attribute]
      for (let depth = 0; depth <= MAX_DEPTH; depth++) {
        const source = views.get(oid)?.()[column - 1]
        if (source === undefined || source.relation === 0) break
        oid = String(source.relation)
        column = source.attribute
      }
      return { relation: oid, attribute: column }
    },
    compositeKeys: (relation) => compositeKeysOf(relation, keys, views),
    isKey: (relation, attributes) =>
      [...attributes].some((attribute) => isUnique(relation, attribute)) ||
      (keys.get(relation) ?? []).some((key) => key.split(' ').every((attribute) => attributes.has(Number(attribute)))),
  }
}

/** Returns the composite keys of a view: those of each relation whose rows it shows at most once, if it shows all their columns. */
function compositeKeysOf(
  oid: string,
  keys: ReadonlyMap<string, readonly string[]>,
  views: ReadonlyMap<string, () => readonly Followed[]>,
  depth = 0,
): readonly (readonly number[])[] {
  const columns = views.get(oid)?.()
  if (columns === undefined) {
    return (keys.get(oid) ?? []).map((key) => key.split(' ').map(Number)).filter(({ length }) => length > 1)
  }
  if (depth === MAX_DEPTH) return []
  const shown = [
    ...new Set(columns.flatMap(({ relation, rowForRow }) => (rowForRow && relation !== 0 ? [relation] : []))),
  ]
  return shown.flatMap((relation) =>
    compositeKeysOf(String(relation), keys, views, depth + 1).flatMap((key) => {
      const found = key.map((attribute) =>
        columns.findIndex((column) => column.relation === relation && column.attribute === attribute),
      )
      return found.includes(-1) ? [] : [found.map((index) => index + 1)]
    }),
  )
}
