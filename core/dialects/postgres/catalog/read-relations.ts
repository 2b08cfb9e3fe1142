import { type CatalogReader, nameParameters } from './catalog-reader.ts'

export interface RelationRow {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly kind: 'view' | 'table'
  readonly columns: readonly ColumnRow[]
  readonly primaryKey: readonly string[]
}

export interface ColumnRow {
  readonly name: string
  /** `pg_attribute.attnum`; it differs from the position after a column was dropped, because numbers are not reused. */
  readonly attribute: number
  readonly type: string
  /** Type modifier of the column as in `pg_attribute.atttypmod` (length, or precision and scale); -1: none. */
  readonly modifier: number
}

const COLUMNS = `
SELECT n.asked, c.oid, s.nspname, c.relname, c.relkind IN ('v', 'm'),
  a.attname, a.attnum, a.atttypid, a.atttypmod,
  array_position(i.indkey::int2[], a.attnum)
FROM unnest($1::text[], $2::text[], $3::text[]) AS n(asked, schema, name)
JOIN pg_catalog.pg_class c ON c.relname = n.name AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE CASE WHEN n.schema IS NULL THEN pg_catalog.pg_table_is_visible(c.oid) ELSE s.nspname = n.schema END
ORDER BY c.oid, a.attnum`

/**
 * Reads the named tables and views with their columns and primary keys from the system catalog, in one round trip. The
 * keys of the map are the names as requested; names that do not exist are absent.
 */
export async function readRelations(
  reader: CatalogReader,
  names: readonly string[],
): Promise<ReadonlyMap<string, RelationRow>> {
  const found = new Map<string, RelationRow & { columns: ColumnRow[]; primaryKey: string[] }>()
  if (names.length === 0) return found
  for (const row of await reader.query(COLUMNS, nameParameters(names))) {
    const [asked, oid, schema, name, isView, column, attribute, type, modifier, keyPosition] = row as readonly string[]
    let relation = found.get(asked!)
    if (relation === undefined) {
      const kind = isView === 't' ? 'view' : 'table'
      relation = { oid: oid!, schema: schema!, name: name!, kind, columns: [], primaryKey: [] }
      found.set(asked!, relation)
    }
    if (column === null) continue
    relation.columns.push({ name: column!, attribute: Number(attribute), type: type!, modifier: Number(modifier) })
    if (keyPosition !== null) relation.primaryKey[Number(keyPosition)] = column!
  }
  for (const relation of found.values()) relation.primaryKey = relation.primaryKey.filter((name) => name !== undefined)
  return found
}
