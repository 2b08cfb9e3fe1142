import type { CatalogReader } from '../catalog/catalog-reader.ts'
import { commentOf } from './user-objects.ts'

/** A column as the catalog stores it. */
export interface ColumnFacts {
  readonly name: string
  /** `pg_attribute.attnum`. It differs from the position after a column was dropped. */
  readonly attribute: number
  /** `pg_type.oid` */
  readonly type: string
  /** `pg_attribute.atttypmod`; -1: none. */
  readonly modifier: number
  readonly sqlType: string
  readonly comment: string | null
  /** The column itself is NOT NULL, whether or not that holds for the rows of tables that inherit from its table. */
  readonly notNull: boolean
  /** No row that a query of the relation returns has NULL. */
  readonly proven: boolean
  readonly hasDefault: boolean
  /** A generated column, an identity GENERATED ALWAYS, or a column of a view that is not updatable. */
  readonly generated: boolean
  readonly select: boolean
  readonly insert: boolean
  readonly update: boolean
}

/**
 * Selects the columns of relations. `proven` has the same conditions as the proofs of the catalog for the compiler: it omits foreign
 * tables, tables that others inherit from, and constraints that are not validated.
 */
const SQL = `
SELECT a.attrelid, a.attname, a.attnum, a.atttypid, a.atttypmod, pg_catalog.format_type(a.atttypid, a.atttypmod), ${commentOf('pg_class', 'a.attrelid', 'a.attnum')},
  a.attnotnull,
  a.attnotnull AND (c.relkind = 'p' OR c.relkind = 'r' AND NOT c.relhassubclass) AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_constraint k
    WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND a.attnum = ANY (k.conkey) AND NOT k.convalidated),
  a.atthasdef OR a.attidentity <> '' OR t.typdefault IS NOT NULL,
  a.attgenerated <> '' OR a.attidentity = 'a'
    OR a.attrelid = ANY ($2::oid[]) AND NOT pg_catalog.pg_column_is_updatable(a.attrelid, a.attnum, true),
  pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT'),
  pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'INSERT'),
  pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'UPDATE')
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attrelid, a.attnum`

/**
 * Reads the columns of relations. One round trip.
 * @param relations `pg_class.oid`
 * @param writableViews those of them that are views and can be updated
 */
export async function readModelColumns(
  reader: Pick<CatalogReader, 'query'>,
  relations: readonly string[],
  writableViews: readonly string[],
): Promise<ReadonlyMap<string, readonly ColumnFacts[]>> {
  const found = new Map<string, ColumnFacts[]>()
  for (const row of await reader.query(SQL, [relations, writableViews])) {
    const [relation, name, attribute, type, modifier, sqlType, comment, ...flags] = row as readonly (string | null)[]
    const [notNull, proven, hasDefault, generated, select, insert, update] = flags.map((flag) => flag === 't')
    const columns = found.get(relation!) ?? []
    if (columns.length === 0) found.set(relation!, columns)
    columns.push({
      name: name!,
      attribute: Number(attribute),
      type: type!,
      modifier: Number(modifier),
      sqlType: sqlType!,
      comment: comment!,
      notNull: notNull!,
      proven: proven!,
      hasDefault: hasDefault!,
      generated: generated!,
      select: select!,
      insert: insert!,
      update: update!,
    })
  }
  return found
}
