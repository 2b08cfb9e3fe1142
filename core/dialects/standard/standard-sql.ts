import type { SqlFragment } from '../../engine/sql/fragment.ts'
import type { Primitives } from '../primitives.ts'

/** What svc needs to know of a database to write the rest in standard SQL:2023. */
export interface SqlWords {
  /**
   * Names of types by their PostgreSQL names (`int8`, `numeric`, `timestamptz`), where they differ from those of the
   * standard. `numeric` must hold digits behind the point.
   */
  readonly types: Readonly<Record<string, SqlFragment>>
  /** Writes a cast of an operand, whose text svc has checked, to the type of the compared value. Default: CAST. */
  castOperand(text: SqlFragment, type: SqlFragment): SqlFragment
  /**
   * Writes a cast of a text in a JSON document, whose failure gives NULL: `TRY_CAST`. Default: CAST, which fails for
   * invalid values.
   */
  tryCast(text: SqlFragment, type: SqlFragment): SqlFragment
  /** Converts a value of any type to JSON. JSON stays as it is. Default: `JSON_SCALAR(…)`. */
  toJson(value: SqlFragment): SqlFragment
  /** Writes a JSON object from pairs of a key, which is a literal, and a value. Default: `JSON_OBJECT('k' VALUE v)`. */
  jsonObject(pairs: readonly (readonly [key: SqlFragment, value: SqlFragment])[]): SqlFragment
  /** Writes a JSON array of values. Default: `JSON_ARRAY(… NULL ON NULL)`. */
  jsonArray(values: readonly SqlFragment[]): SqlFragment
  /**
   * Writes an aggregate function that makes a JSON array of the rows' values, with their NULLs, empty if there are no
   * rows. Default: `JSON_ARRAYAGG`.
   * @param order ` ORDER BY …` of the rows; empty: any order
   * @param filter ` FILTER (WHERE …)`, which leaves rows out; empty: all rows
   */
  jsonList(value: SqlFragment, order: SqlFragment, filter: SqlFragment): SqlFragment
  /**
   * Writes the average of exact numbers, with sixteen digits behind the point; NULL if there are none. Default: `avg`
   * of values of type `numeric`.
   */
  average(value: SqlFragment): SqlFragment
  /**
   * Writes a FROM item without an alias that expands a JSON array to rows: `n` is the position of an item as an integer
   * that grows, `j` its JSON, `t` its text (NULL for a JSON null). Other values and NULL give no rows. Default:
   * `JSON_TABLE`.
   */
  jsonItems(json: SqlFragment): SqlFragment
}

/**
 * A dialect in standard SQL:2023, as far as its database differs from that. Every member has a default; a database with
 * the types and JSON functions of the standard needs none. Members of {@link Primitives} replace the standard ones.
 *
 * List parameters reach the database as the text of a JSON array of texts: the driver converts them.
 */
export interface StandardSql extends Partial<Omit<Primitives, 'operators'>>, Partial<SqlWords> {
  /** Filter operators of the database in addition to those of standard SQL, or instead of them. */
  readonly operators?: Primitives['operators']
}

/** All pieces of a dialect in standard SQL: those that were given, and the defaults. */
export type FullStandardSql = Primitives & SqlWords
