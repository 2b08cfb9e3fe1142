import type { Parameter, Row } from '../../../contract/statement.ts'

/** The functions of a connection that are needed to read the catalog. */
export interface CatalogReader {
  query(text: string, parameters: readonly Parameter[]): Promise<readonly Row[]>
  /** Lets the server analyse a query without running it. `null`: the analysis is not possible. */
  describe(text: string): Promise<readonly DescribedColumn[] | null>
}

/** One column of a described query. Both numbers are 0 unless the column is a plain reference to a column of a relation. */
export interface DescribedColumn {
  /** `pg_class.oid` of the relation. */
  readonly relation: number
  /** `pg_attribute.attnum` of the column. */
  readonly attribute: number
}

/** The name `v_user` or `schema.v_user`, split. `schema: null`: the first relation of that name on the search path. */
export interface SplitName {
  readonly asked: string
  readonly schema: string | null
  readonly name: string
}

/** Splits a name as in `sql_source` at the first dot. Names are case-sensitive: `User` is not `user`. */
export function splitName(asked: string): SplitName {
  const dot = asked.indexOf('.')
  return dot < 0
    ? { asked, schema: null, name: asked }
    : { asked, schema: asked.slice(0, dot), name: asked.slice(dot + 1) }
}

/** Returns the parameters of `unnest($1::text[], $2::text[], $3::text[]) AS n(asked, schema, name)`: three lists. */
export function nameParameters(names: readonly string[]): Parameter[] {
  const split = [...new Set(names)].map(splitName)
  return [split.map((n) => n.asked), split.map((n) => n.schema), split.map((n) => n.name)]
}
