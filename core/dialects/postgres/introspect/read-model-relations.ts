import type { ModelRelation, RelationKind, SkippedObject } from '../../../contract/database-model.ts'
import type { CatalogReader } from '../catalog/catalog-reader.ts'
import { belongsToExtension, belongsToUser, commentOf } from './user-objects.ts'

/** A table or view as introspection reads it from `pg_class`, before its columns, indexes and foreign keys are read. */
export interface RelationHead
  extends Pick<
    ModelRelation,
    'schema' | 'name' | 'visible' | 'kind' | 'comment' | 'inherits' | 'estimatedRows' | 'rowSecurity' | 'privileges'
  > {
  readonly oid: string
  readonly schema: string
  /**
   * `true` if another table inherits from this one. Constraints of this table then do not hold for all rows that a
   * query returns.
   */
  readonly hasChildren: boolean
}

export interface ReadRelations {
  readonly usable: readonly RelationHead[]
  readonly skipped: readonly SkippedObject[]
  /** Schema and name of all tables and views, usable or skipped, by `pg_class.oid`. */
  readonly names: ReadonlyMap<string, { readonly schema: string; readonly name: string }>
}

const KINDS: Readonly<Record<string, RelationKind>> = {
  r: 'table',
  p: 'partitioned table',
  f: 'foreign table',
  v: 'view',
  m: 'materialized view',
}

/** Bits of `pg_relation_is_updatable`. */
const UPDATE = 1 << 2
const INSERT = 1 << 3
const DELETE = 1 << 4

/**
 * Selects foreign tables, and the views that read them at any depth. `is_dead`: the wrapper has no handler, so that queries fail.
 * PostgreSQL raises an error, too, when asked whether such a relation can be updated.
 */
const FAR = `
SELECT t.ftrelid, w.fdwhandler = 0
FROM pg_catalog.pg_foreign_table t JOIN pg_catalog.pg_foreign_server s ON s.oid = t.ftserver
JOIN pg_catalog.pg_foreign_data_wrapper w ON w.oid = s.srvfdw
UNION
SELECT r.ev_class, far.is_dead FROM far
JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = far.relation
  AND d.classid = 'pg_catalog.pg_rewrite'::regclass
JOIN pg_catalog.pg_rewrite r ON r.oid = d.objid
JOIN pg_catalog.pg_class v ON v.oid = r.ev_class AND v.relkind = 'v'`

/** Selects partitioned tables with their partitions of any level. */
const PARTITIONS = `
SELECT c.oid, i.inhrelid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_inherits i ON i.inhparent = c.oid
WHERE c.relkind = 'p' AND NOT c.relispartition
UNION ALL
SELECT p.root, i.inhrelid FROM partitions p JOIN pg_catalog.pg_inherits i ON i.inhparent = p.relation`

/**
 * Selects tables, views and foreign tables. The privileges alone decide whether a foreign table can be written, and views of
 * foreign tables cannot be. Before version 14, 0 rows in 0 pages may mean that the table was never analysed. The rows of a
 * partitioned table are those of its partitions, because only ANALYZE of the parent itself counts them.
 */
const SQL = `
WITH RECURSIVE far(relation, is_dead) AS (${FAR}), partitions(root, relation) AS (${PARTITIONS}), leaf_rows AS (
  SELECT p.root, sum(greatest(leaf.reltuples, 0)) AS rows FROM partitions p JOIN pg_catalog.pg_class leaf ON leaf.oid = p.relation
  WHERE leaf.relkind <> 'p' AND (leaf.reltuples > 0 OR leaf.relpages > 0) GROUP BY p.root
), relations AS (
  SELECT c.oid, n.oid AS namespace, n.nspname, c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.relhassubclass,
    CASE WHEN c.relkind = 'p' THEN (SELECT l.rows FROM leaf_rows l WHERE l.root = c.oid)
      WHEN c.relkind <> 'v' AND c.reltuples >= 0
        AND (c.relpages > 0 OR c.reltuples > 0 OR pg_catalog.current_setting('server_version_num')::int >= 140000)
      THEN c.reltuples END AS rows
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
    AND ${belongsToUser('c.relname')} AND NOT ${belongsToExtension('pg_class', 'c.oid')}
)
SELECT r.oid, r.nspname, r.relname, r.relkind, pg_catalog.pg_table_is_visible(r.oid), ${commentOf('pg_class', 'r.oid')}, r.rows::numeric,
  r.relrowsecurity, r.relforcerowsecurity, r.relhassubclass AND r.relkind = 'r',
  pg_catalog.has_schema_privilege(r.namespace, 'USAGE'),
  pg_catalog.has_any_column_privilege(r.oid, 'SELECT'),
  pg_catalog.has_any_column_privilege(r.oid, 'INSERT'),
  pg_catalog.has_any_column_privilege(r.oid, 'UPDATE'),
  pg_catalog.has_table_privilege(r.oid, 'DELETE'),
  CASE WHEN r.relkind IN ('r', 'p', 'f') THEN ${UPDATE | INSERT | DELETE}
    WHEN r.relkind = 'v' AND r.oid NOT IN (SELECT relation FROM far) THEN pg_catalog.pg_relation_is_updatable(r.oid, true)
    ELSE 0 END,
  r.oid IN (SELECT relation FROM far WHERE is_dead),
  (SELECT pg_catalog.json_agg(parents.nspname || '.' || parent.relname ORDER BY i.inhseqno) FROM pg_catalog.pg_inherits i
    JOIN pg_catalog.pg_class parent ON parent.oid = i.inhparent
    JOIN pg_catalog.pg_namespace parents ON parents.oid = parent.relnamespace WHERE i.inhrelid = r.oid)
FROM relations r
ORDER BY r.nspname, r.relname`

/**
 * Reads all tables and views outside system schemas and extensions, without columns, in one round trip. `skipped` lists
 * those that the current role cannot read, with the reason.
 */
export async function readModelRelations(reader: Pick<CatalogReader, 'query'>): Promise<ReadRelations> {
  const usable: RelationHead[] = []
  const skipped: SkippedObject[] = []
  const names = new Map<string, { schema: string; name: string }>()
  for (const row of await reader.query(SQL, [])) {
    const [oid, schema, name, relkind, visible, comment, rows, secured, forced, hasChildren, ...rest] =
      row as readonly string[]
    const [inSchema, select, insert, update, remove, updatable, isDead, parents] = rest
    const kind = KINDS[relkind!]!
    names.set(oid!, { schema: schema!, name: name! })
    const reason = reasonToSkip({ inSchema, select, isDead })
    if (reason !== null) {
      skipped.push({ kind, name: `${schema}.${name}`, reason })
      continue
    }
    const allows = (privilege: string | undefined, bit: number) => privilege === 't' && (Number(updatable) & bit) !== 0
    usable.push({
      oid: oid!,
      schema: schema!,
      name: name!,
      visible: visible === 't',
      kind,
      ...(comment === null ? {} : { comment: comment! }),
      ...(parents === null ? {} : { inherits: JSON.parse(parents!) as string[] }),
      ...(rows === null ? {} : { estimatedRows: Number(rows) }),
      ...(secured === 't' ? { rowSecurity: forced === 't' ? 'forced' : 'enabled' } : {}),
      privileges: {
        select: true,
        insert: allows(insert, INSERT),
        update: allows(update, UPDATE),
        delete: allows(remove, DELETE),
      },
      hasChildren: hasChildren === 't',
    })
  }
  return { usable, skipped, names }
}

function reasonToSkip(relation: Readonly<Record<'inSchema' | 'select' | 'isDead', string | undefined>>) {
  if (relation.inSchema !== 't') return 'is in a schema that the role may not use (no USAGE privilege)'
  if (relation.select !== 't') return 'may not be read by the role (no SELECT privilege)'
  if (relation.isDead === 't') return 'reads a foreign table whose foreign-data wrapper has no handler'
  return null
}
