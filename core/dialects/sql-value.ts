import type { SqlFragment } from '../engine/sql/fragment.ts'
import type { Place } from '../schema/place.ts'

/** SQL that reads a stored value, before any conversion: a column, or a key of a JSON document. */
export type SqlValue =
  | {
      readonly from: 'column'
      readonly sql: SqlFragment
      readonly type: string | null
      readonly notNull: boolean
      /** Set for a PostGIS column. */
      readonly place?: Place
    }
  | {
      readonly from: 'document'
      readonly json: SqlFragment
      readonly text: SqlFragment
      /** Is `json` of type jsonb? Otherwise of type json. */
      readonly jsonb: boolean
      /** Types that the text of every value can be cast to, as an index over the cast proves. */
      readonly casts?: readonly string[]
    }

/** A key of a JSON document. */
export type DocumentValue = Extract<SqlValue, { from: 'document' }>

/**
 * How certain it is that a scalar which the database writes as JSON has its GraphQL type. `proven`: always. `finite`:
 * always, except for the texts in `Primitives.noNumbers`. `none`: unknown, so that svc checks the response before it
 * sends it.
 */
export type LeafProof = 'proven' | 'finite' | 'none'

/**
 * A PostGIS column with its geometry type and reference system. `column` is the SQL of the column without a conversion,
 * so that the database can use its index.
 */
export interface PlaceColumn extends Place {
  readonly column: SqlFragment
}

/**
 * SQL of a stored value for the left side of a comparison (`value`, or `text` for operators on texts), with casts for
 * the right side.
 */
export interface Comparable {
  readonly value: SqlFragment
  /** SQL to sort by, if it differs from `value`. */
  readonly sort?: SqlFragment
  readonly text: SqlFragment
  /** The column of type `tsvector`, for full-text operators; absent: the column has another type. */
  readonly words?: SqlFragment
  /** The PostGIS column, for geometry operators; absent: the column has another type. */
  readonly place?: PlaceColumn
  /** Casts a parameter so that it is comparable with `value`. */
  readonly operand: (slot: SqlFragment) => SqlFragment
  /** Casts a list parameter so that its items are comparable with `value`. */
  readonly list: (slot: SqlFragment) => SqlFragment
  /** Writes the position of `value` in a list parameter. Absent: `Primitives.position` writes it from {@link list}. */
  readonly position?: (slot: SqlFragment) => SqlFragment
}

/** SQL of the right side of a filter operator, such as the `5` of `_gt: 5`. */
export interface SqlOperand {
  /** A parameter, cast to the type of the operand. For an operand that is a boolean, use `yes` instead. */
  readonly sql: SqlFragment
  /**
   * Value of a boolean operand, known when the SQL is written, because a plan is made for each value. `false` for other
   * operands.
   */
  readonly yes: boolean
}

/** One column of the keys that a request looks rows up by. */
export interface ComparedKeys {
  /** A list parameter with this column's values of all keys, in the order of the keys. */
  readonly keys: SqlFragment
  readonly target: Comparable
}

/** A further value that a request supplies with each key. */
export interface LookupTexts {
  /** A list parameter with one text per key, in the order of the keys. */
  readonly texts: SqlFragment
  /** PostgreSQL name of the type that each text is cast to. */
  readonly type: string
}

/**
 * Writes the SQL condition of a filter operator (`core/schema/operators/operators.ts` lists them) from its two sides.
 */
export type EmitOperator = (
  target: Pick<Comparable, 'value' | 'text' | 'words' | 'place'>,
  operand: SqlOperand,
) => SqlFragment

/**
 * SQL of a response object: the select list of a subquery with one column per member, and the expression over it that
 * makes the object.
 */
export interface Projection {
  /** Select list of the subquery, which has the alias `r$`. */
  readonly columns: SqlFragment
  /** Expression for the object over the columns of the subquery `r$`. */
  readonly value: SqlFragment
  /**
   * Expression for the object over the columns of its row, without a subquery. Present for databases that do not keep the
   * order of a subquery in FROM, or whose subqueries in FROM cannot refer to an outer row (MariaDB).
   */
  readonly flat?: SqlFragment
}

/** A member of a response object: its response key, and the SQL of its value. */
export interface SqlMember {
  readonly key: string
  readonly value: SqlFragment
  /** `true` if the value is an object or a list. A dialect whose JSON is text must not quote it. */
  readonly nested: boolean
  /** `true` if the value is a text that no {@link Primitives.leaf} wrote: the name of a type, a cursor. Absent: it is not. */
  readonly plain?: true
}

/**
 * A member of the object that {@link Primitives.objectText} writes. Its value is JSON: a constant (`string`), or a SQL
 * expression of type text.
 */
export interface TextMember {
  readonly key: string
  readonly value: string | SqlFragment
}
