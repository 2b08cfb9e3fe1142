import type { CatalogReader } from './catalog-reader.ts'

/** A JSON column of a table, by `pg_class.oid` and `pg_attribute.attnum`. */
export interface JsonColumn {
  readonly relation: string
  readonly attribute: number
}

/** Types that the texts under a key of a document can be cast to, by key. */
export type KeyCasts = Readonly<Record<string, readonly string[]>>

/** Selects the expressions of valid indexes that cover all rows, with the JSON columns of their tables. */
const EXPRESSIONS = `
SELECT i.indrelid, a.attnum, pg_catalog.quote_ident(a.attname), pg_catalog.pg_get_indexdef(i.indexrelid, k.n, TRUE)
FROM pg_catalog.pg_index i
JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
CROSS JOIN LATERAL generate_series(1, i.indnkeyatts) AS k(n)
JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.atttypid IN (114, 3802) AND NOT a.attisdropped
WHERE i.indrelid = ANY ($1::oid[]) AND i.indisvalid AND i.indpred IS NULL AND i.indkey[k.n - 1] = 0
  AND (c.relkind IN ('p', 'm') OR c.relkind = 'r' AND NOT c.relhassubclass)`

/** `data ->> 'size'::text::integer`, without the parentheses that PostgreSQL prints. */
const CAST = /^(.+) ->> '([^'()]+)'::text::([a-z ]+)$/

/** Types whose casts from text are immutable, so that an index can contain them. */
const TYPES: Readonly<Record<string, string>> = {
  smallint: 'int2',
  integer: 'int4',
  bigint: 'int8',
  numeric: 'numeric',
  'double precision': 'float8',
  boolean: 'bool',
  uuid: 'uuid',
}

/**
 * Reads which keys of documents have an index over a cast: `CREATE INDEX ON tb_post (((data ->> 'size')::int))`. Each value of such a key
 * can be cast, because PostgreSQL refuses a row whose value cannot. One round trip.
 * @returns casts of a column, by `oid.attnum`
 */
export async function readCasts(
  reader: CatalogReader,
  columns: readonly JsonColumn[],
): Promise<ReadonlyMap<string, KeyCasts>> {
  const casts = new Map<string, Record<string, string[]>>()
  if (columns.length === 0) return casts
  const relations = [...new Set(columns.map(({ relation }) => relation))]
  for (const row of await reader.query(EXPRESSIONS, [relations])) {
    const [relation, attribute, column, definition] = row as readonly string[]
    const [, document, key, name = ''] = CAST.exec(definition!.replace(/[()]/g, '')) ?? []
    const type = TYPES[name]
    if (document !== column || key === undefined || type === undefined) continue
    const id = `${relation}.${attribute}`
    const own = casts.get(id) ?? {}
    casts.set(id, own)
    const known = own[key] ?? []
    own[key] = known
    if (!known.includes(type)) known.push(type)
  }
  return casts
}
