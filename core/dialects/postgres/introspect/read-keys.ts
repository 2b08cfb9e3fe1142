import type { ModelForeignKey } from '../../../contract/database-model.ts'
import type { CatalogReader } from '../catalog/catalog-reader.ts'

/** An index, with column numbers instead of names, as introspection reads it from `pg_index`. */
export interface IndexFacts {
  readonly name: string
  readonly method: string
  readonly isPrimary: boolean
  readonly isUnique: boolean
  /**
   * `true`: each statement checks uniqueness. `false`: the check is deferrable, so that values may be duplicate until
   * COMMIT.
   */
  readonly isImmediate: boolean
  readonly isPartial: boolean
  /** `pg_attribute.attnum` of the indexed columns, in the order of the index; 0: an expression. */
  readonly attributes: readonly number[]
  /** Name of the operator class of each indexed column, in the same order; `null`: the default class of its type. */
  readonly operatorClasses: readonly (string | null)[]
}

const INDEXES = `
SELECT i.indrelid, c.relname, m.amname, i.indisprimary, i.indisunique, i.indimmediate, i.indpred IS NOT NULL,
  i.indnkeyatts, i.indkey::text, i.indclass::text
FROM pg_catalog.pg_index i
JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
JOIN pg_catalog.pg_am m ON m.oid = c.relam
WHERE i.indrelid = ANY ($1::oid[]) AND i.indisvalid
ORDER BY i.indrelid, i.indexrelid`

const CLASSES = 'SELECT oid, opcname FROM pg_catalog.pg_opclass WHERE NOT opcdefault'

/**
 * Reads the operator classes that are not the default of their type, in one round trip. The map has their names by
 * `pg_opclass.oid`.
 */
export async function readOperatorClasses(reader: Pick<CatalogReader, 'query'>): Promise<ReadonlyMap<string, string>> {
  return new Map((await reader.query(CLASSES, [])).map(([oid, name]) => [oid!, name!]))
}

/**
 * Reads the valid indexes of relations, without INCLUDE columns, in one round trip.
 * @param relations `pg_class.oid` of the tables
 * @param classes names of the operator classes that are not defaults, by OID, from {@link readOperatorClasses}
 * @returns the indexes by `pg_class.oid` of their table
 */
export async function readModelIndexes(
  reader: Pick<CatalogReader, 'query'>,
  relations: readonly string[],
  classes: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly IndexFacts[]>> {
  const found = new Map<string, IndexFacts[]>()
  for (const row of await reader.query(INDEXES, [relations])) {
    const [relation, name, method, isPrimary, isUnique, isImmediate, isPartial, count, keys, opclasses] =
      row as readonly string[]
    const indexes = found.get(relation!) ?? []
    if (indexes.length === 0) found.set(relation!, indexes)
    indexes.push({
      name: name!,
      method: method!,
      isPrimary: isPrimary === 't',
      isUnique: isUnique === 't',
      isImmediate: isImmediate === 't',
      isPartial: isPartial === 't',
      attributes: keys!.split(' ').slice(0, Number(count)).map(Number),
      operatorClasses: opclasses!.split(' ').map((oid) => classes.get(oid) ?? null),
    })
  }
  return found
}

/**
 * Selects foreign keys, except those that PostgreSQL adds for each partition, and those of periods (PERIOD, since version 18), which do not
 * compare by equality. `to_jsonb` reads that flag where the column exists.
 */
const FOREIGN_KEYS = `
SELECT k.conrelid, k.conname, n.nspname, c.relname,
  (SELECT pg_catalog.json_agg(a.attname ORDER BY u.i) FROM unnest(k.conkey) WITH ORDINALITY AS u(attnum, i)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.attnum),
  (SELECT pg_catalog.json_agg(a.attname ORDER BY u.i) FROM unnest(k.confkey) WITH ORDINALITY AS u(attnum, i)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.attnum)
FROM pg_catalog.pg_constraint k
JOIN pg_catalog.pg_class c ON c.oid = k.confrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE k.conrelid = ANY ($1::oid[]) AND k.contype = 'f' AND k.conparentid = 0
  AND (pg_catalog.to_jsonb(k) ->> 'conperiod') IS DISTINCT FROM 'true'
ORDER BY k.conrelid, k.conname`

/**
 * Reads the foreign keys of relations, in one round trip. Keys that PostgreSQL adds for partitions, and keys with
 * PERIOD, are omitted.
 * @param relations `pg_class.oid` of the referencing tables
 * @returns the foreign keys by `pg_class.oid` of the referencing table
 */
export async function readForeignKeys(
  reader: Pick<CatalogReader, 'query'>,
  relations: readonly string[],
): Promise<ReadonlyMap<string, readonly ModelForeignKey[]>> {
  const found = new Map<string, ModelForeignKey[]>()
  for (const row of await reader.query(FOREIGN_KEYS, [relations])) {
    const [relation, name, schema, table, columns, referenced] = row as readonly string[]
    const keys = found.get(relation!) ?? []
    if (keys.length === 0) found.set(relation!, keys)
    keys.push({
      name: name!,
      columns: JSON.parse(columns!) as string[],
      references: { schema: schema!, name: table!, columns: JSON.parse(referenced!) as string[] },
    })
  }
  return found
}
