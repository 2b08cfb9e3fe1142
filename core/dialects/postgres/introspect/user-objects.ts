/**
 * Writes a condition for objects that belong to the user: not in a schema of the system, and without the prefix of
 * svc's own objects.
 * @param name expression of the object's name. Its schema is `n.nspname`
 */
export function belongsToUser(name: string): string {
  return `n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND ${name} !~ '^svc_'`
}

/** Writes a condition for objects that an extension owns, such as the tables of PostGIS. */
export function belongsToExtension(catalog: string, oid: string): string {
  return dependsAs(['e'], catalog, oid)
}

/**
 * Writes a condition for objects that an extension owns, or that the server made for another object, such as the
 * constructors of a range.
 */
export function isImplied(catalog: string, oid: string): string {
  return dependsAs(['e', 'i'], catalog, oid)
}

function dependsAs(kinds: readonly string[], catalog: string, oid: string): string {
  return `EXISTS (SELECT FROM pg_catalog.pg_depend e
    WHERE e.classid = 'pg_catalog.${catalog}'::regclass AND e.objid = ${oid} AND e.deptype IN ('${kinds.join("', '")}'))`
}

/**
 * Writes an expression for the comment of an object, or of a column. A subquery always uses the index. For a join,
 * stale statistics of the catalog make the planner compare each row with each comment.
 * @param column `pg_attribute.attnum`; 0: the object itself
 */
export function commentOf(catalog: string, oid: string, column = '0'): string {
  return `(SELECT d.description FROM pg_catalog.pg_description d
    WHERE d.objoid = ${oid} AND d.classoid = 'pg_catalog.${catalog}'::regclass AND d.objsubid = ${column})`
}
