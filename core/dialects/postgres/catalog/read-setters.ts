import type { CatalogReader } from './catalog-reader.ts'

/**
 * Selects relations whose views or row level security policies call, directly or through other views, a function that may
 * change a setting: a volatile function that is not built in, or one whose text contains `set_config`. Operators count as
 * functions. Calls inside functions are not checked, since the catalog does not list them.
 */
const SETTERS = `
WITH RECURSIVE rules AS (
  SELECT ev_class AS relation, 'pg_catalog.pg_rewrite'::regclass AS kind, oid,
    CASE WHEN rulename = '_RETURN' THEN pg_catalog.pg_get_viewdef(ev_class) END AS text
  FROM pg_catalog.pg_rewrite WHERE ev_type = '1'
  UNION ALL
  SELECT polrelid, 'pg_catalog.pg_policy'::regclass, oid, pg_catalog.pg_get_expr(polqual, polrelid)
  FROM pg_catalog.pg_policy WHERE polcmd IN ('r', '*')
), reached(root, relation) AS (
  SELECT asked, asked FROM unnest($1::oid[]) AS asked
  UNION
  SELECT r.root, d.refobjid FROM reached r
  JOIN rules ON rules.relation = r.relation
  JOIN pg_catalog.pg_depend d ON d.classid = rules.kind AND d.objid = rules.oid
  WHERE d.refclassid = 'pg_catalog.pg_class'::regclass
)
SELECT DISTINCT r.root
FROM reached r
JOIN rules ON rules.relation = r.relation
LEFT JOIN pg_catalog.pg_depend d ON d.classid = rules.kind AND d.objid = rules.oid
LEFT JOIN pg_catalog.pg_operator o ON d.refclassid = 'pg_catalog.pg_operator'::regclass AND o.oid = d.refobjid
LEFT JOIN pg_catalog.pg_proc p ON p.oid = CASE
  WHEN d.refclassid = 'pg_catalog.pg_proc'::regclass THEN d.refobjid ELSE o.oprcode END
LEFT JOIN pg_catalog.pg_namespace s ON s.oid = p.pronamespace
WHERE rules.text ~* '\\mset_config\\M' OR (s.nspname <> 'pg_catalog' AND (p.provolatile = 'v' OR CASE
  WHEN p.prokind = 'f' THEN pg_catalog.pg_get_functiondef(p.oid) ~* '\\mset_config\\M' END))`

/**
 * Finds views, and tables with row-level security, where a SELECT may change settings of the session, because their
 * definition or policies call a function that may do so.
 * @param oids `pg_class.oid` of the relations to check
 * @returns `pg_class.oid` of those where a SELECT may change settings
 */
export async function readSetters(reader: CatalogReader, oids: readonly string[]): Promise<ReadonlySet<string>> {
  if (oids.length === 0) return new Set()
  const rows = await reader.query(SETTERS, [[...new Set(oids)]])
  return new Set(rows.map(([oid]) => oid!))
}
