import type { Parameter, Row } from '../../../contract/statement.ts'

/** The functions of a PostgreSQL connection with which svc reads the system catalog. */
export interface CatalogReader {
  query(text: string, parameters: readonly Parameter[]): Promise<readonly Row[]>
  /**
   * Parses a query on the server without running it, and returns the origin of each result column. `null`: the
   * connection cannot describe queries, or the server rejects this one.
   */
  describe(text: string): Promise<readonly DescribedColumn[] | null>
}

/**
 * Origin of one result column of a query that the server described. Both numbers are 0 unless the column is a plain
 * reference to a column of a table or view.
 */
export interface DescribedColumn {
  /** `pg_class.oid` of the table or view that the result column comes from; 0: none. */
  readonly relation: number
  /** `pg_attribute.attnum` of the column that the result column comes from; 0: none. */
  readonly attribute: number
}

/**
 * The name of a table, view or function from a schema (`v_user`, `schema.v_user`), split at the first dot. `asked` is
 * the name before it is split. `schema: null`: the first object of that name on the search path.
 */
export interface SplitName {
  readonly asked: string
  readonly schema: string | null
  readonly name: string
}

/**
 * Splits the name of a table, view or function, as authors write it in `sql_source`, at the first dot. Names are
 * case-sensitive: `User` is not `user`.
 */
export function splitName(asked: string): SplitName {
  const dot = asked.indexOf('.')
  return dot < 0
    ? { asked, schema: null, name: asked }
    : { asked, schema: asked.slice(0, dot), name: asked.slice(dot + 1) }
}

/**
 * Returns the parameters of `unnest($1::text[], $2::text[], $3::text[]) AS n(asked, schema, name)`: lists of the
 * distinct names, their schemas (`null`: none), and their names without schema.
 */
export function nameParameters(names: readonly string[]): Parameter[] {
  const split = [...new Set(names)].map(splitName)
  return [split.map((n) => n.asked), split.map((n) => n.schema), split.map((n) => n.name)]
}
