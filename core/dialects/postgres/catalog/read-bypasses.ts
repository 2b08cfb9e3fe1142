import type { CatalogReader } from './catalog-reader.ts'

/**
 * Selects views that bypass the row-level security of a table, because they run with the rights of an owner whom its policies do not
 * restrict. Views over views are followed to any depth. For a view that runs with the rights of its caller (`security_invoker`), the view
 * above it decides.
 */
const BYPASSES = `
WITH RECURSIVE reached(root, relation, owner) AS (
  SELECT c.oid, c.oid, NULL::oid FROM pg_catalog.pg_class c WHERE c.oid = ANY ($1::oid[]) AND c.relkind IN ('v', 'm')
  UNION
  SELECT r.root, d.refobjid, CASE
    WHEN v.relkind = 'v' AND EXISTS (
      SELECT 1 FROM unnest(v.reloptions) AS o WHERE o IN ('security_invoker=true', 'security_invoker=on', 'security_invoker=1')
    ) THEN r.owner ELSE v.relowner END
  FROM reached r
  JOIN pg_catalog.pg_class v ON v.oid = r.relation AND v.relkind IN ('v', 'm')
  JOIN pg_catalog.pg_rewrite w ON w.ev_class = v.oid AND w.ev_type = '1'
  JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
    AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid <> v.oid
)
SELECT DISTINCT r.root, t.relname, o.rolname
FROM reached r
JOIN pg_catalog.pg_class t ON t.oid = r.relation AND t.relkind IN ('r', 'p') AND t.relrowsecurity
JOIN pg_catalog.pg_roles o ON o.oid = r.owner
WHERE o.rolsuper OR o.rolbypassrls OR (t.relowner = r.owner AND NOT t.relforcerowsecurity)
ORDER BY 1, 2`

/**
 * A table with row-level security whose policies do not restrict a view, because `owner`, the role that the view runs
 * as, is exempt from them.
 */
export interface Bypass {
  readonly table: string
  readonly owner: string
}

/**
 * Finds views that bypass row-level security: they run with the rights of an owner whom the policies of a table under
 * the view do not restrict.
 * @param oids `pg_class.oid` of the relations to check
 * @returns the bypassed tables by `pg_class.oid` of the view; views without any are absent
 */
export async function readBypasses(
  reader: CatalogReader,
  oids: readonly string[],
): Promise<ReadonlyMap<string, readonly Bypass[]>> {
  const found = new Map<string, Bypass[]>()
  if (oids.length === 0) return found
  for (const [root, table, owner] of await reader.query(BYPASSES, [[...new Set(oids)]])) {
    found.set(root!, [...(found.get(root!) ?? []), { table: table!, owner: owner! }])
  }
  return found
}
