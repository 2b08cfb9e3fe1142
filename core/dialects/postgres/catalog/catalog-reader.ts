import type { Parameter, Row } from '../../../contract/statement.ts'

/** What reading the catalog needs of a connection. */
export interface CatalogReader {
  query(text: string, parameters: readonly Parameter[]): Promise<readonly Row[]>
  /** Has the server analyse a query without running it. `null` when it cannot. */
  describe(text: string): Promise<readonly DescribedColumn[] | null>
}

/** One column of a described query. Both numbers are 0 unless the column is a plain reference to a column. */
export interface DescribedColumn {
  /** `pg_class.oid` */
  readonly relation: number
  /** `pg_attribute.attnum` */
  readonly attribute: number
}

/** `v_user` or `schema.v_user`, apart. `schema` null = the first one on the search path. */
export interface SplitName {
  readonly asked: string
  readonly schema: string | null
  readonly name: string
}

/** Splits at the first dot, as `sql_source` is written. Names are exact: `User` is not `user`. */
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
