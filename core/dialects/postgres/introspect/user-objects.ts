/**
 * Returns a SQL condition that excludes objects in system schemas and objects with the prefix `svc_`, for queries of
 * the system catalog.
 * @param name SQL expression of the object's name. The query must have `pg_namespace` as `n`
 */
export function belongsToUser(name: string): string {
  return `n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND ${name} !~ '^svc_'`
}

/**
 * Returns a SQL condition that is true for objects that an extension owns, such as the tables of PostGIS.
 * @param catalog name of the system catalog of the object, such as `pg_class`
 * @param oid SQL expression of the object's OID
 */
export function belongsToExtension(catalog: string, oid: string): string {
  return dependsAs(['e'], catalog, oid)
}

/**
 * Returns a SQL condition that is true for objects that an extension owns, and for objects that the server made for
 * another one, such as the constructor functions of a range type.
 * @param catalog name of the system catalog of the object, such as `pg_proc`
 * @param oid SQL expression of the object's OID
 */
export function isImplied(catalog: string, oid: string): string {
  return dependsAs(['e', 'i'], catalog, oid)
}

function dependsAs(kinds: readonly string[], catalog: string, oid: string): string {
  return `EXISTS (SELECT FROM pg_catalog.pg_depend e
    WHERE e.classid = 'pg_catalog.${catalog}'::regclass AND e.objid = ${oid} AND e.deptype IN ('${kinds.join("', '")}'))`
}

/**
 * Returns a SQL expression for the comment (`COMMENT ON`) of an object or a column. It is a subquery because that
 * always uses the index; with a join, stale statistics make the planner compare each row with each comment.
 * @param catalog name of the system catalog of the object, such as `pg_class`
 * @param oid SQL expression of the object's OID
 * @param column `pg_attribute.attnum` of the column; 0: the object itself
 */
export function commentOf(catalog: string, oid: string, column = '0'): string {
  return `(SELECT d.description FROM pg_catalog.pg_description d
    WHERE d.objoid = ${oid} AND d.classoid = 'pg_catalog.${catalog}'::regclass AND d.objsubid = ${column})`
}
