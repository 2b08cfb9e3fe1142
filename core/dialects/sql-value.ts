import type { SqlFragment } from '../engine/sql/fragment.ts'
import type { Place } from '../schema/place.ts'

/** The SQL of a stored value, before it is converted to its wire form or for a comparison. */
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
    }

/**
 * Certainty that a scalar written by the database has its type. `proven`: always. `finite`: always, except for the
 * dialect's `noNumbers`. `none`: unknown, so that the response is checked before it is sent.
 */
export type LeafProof = 'proven' | 'finite' | 'none'

/** A PostGIS column without any conversion, so that its indexes can be used. */
export interface PlaceColumn extends Place {
  readonly column: SqlFragment
}

/** The left side of a comparison, and casts for the right side. */
export interface Comparable {
  readonly value: SqlFragment
  /** The value to sort by, if it differs from `value`. */
  readonly sort?: SqlFragment
  readonly text: SqlFragment
  /** The `tsvector` column, for operators of full-text search. */
  readonly words?: SqlFragment
  /** The PostGIS column, for geometry operators. */
  readonly place?: PlaceColumn
  /** Casts a parameter to the type of `value`. */
  readonly operand: (slot: SqlFragment) => SqlFragment
  /** Casts a list parameter to the type of a list of `value`. */
  readonly list: (slot: SqlFragment) => SqlFragment
}

/** The right side of an operator. */
export interface SqlOperand {
  /** A parameter, cast to the type of the operand's kind. Do not use it for `boolean`. */
  readonly sql: SqlFragment
  /** Value of a `boolean` operand. It is part of the plan's shape, so that the SQL may depend on it. */
  readonly yes: boolean
}

/** A part of the keys that rows are looked up by. */
export interface ComparedKeys {
  /** A list parameter with this part of all keys, in their order. */
  readonly keys: SqlFragment
  readonly target: Comparable
}

/** A value that is supplied with each key. */
export interface LookupTexts {
  /** A list parameter with the texts for all keys, in their order. */
  readonly texts: SqlFragment
  /** Type name that each text is cast to. */
  readonly type: string
}

/** Writes an operator of the table in `core/schema/operators/operators.ts`. */
export type EmitOperator = (
  target: Pick<Comparable, 'value' | 'text' | 'words' | 'place'>,
  operand: SqlOperand,
) => SqlFragment

/** The columns of a subquery for an object, and the expression that makes the object of them. */
export interface Projection {
  /** Select list of the subquery. */
  readonly columns: SqlFragment
  /** Expression for the object over the columns of the subquery, whose alias is `r$`. */
  readonly value: SqlFragment
}

/** A member of an object as SQL. */
export interface SqlMember {
  readonly key: string
  readonly value: SqlFragment
  /** `true` if the value is an object or a list, which must not be quoted as a text. */
  readonly nested: boolean
}

/** A member of an object in {@link Primitives.objectText}: its JSON as a constant (`string`), or as an expression of type text. */
export interface TextMember {
  readonly key: string
  readonly value: string | SqlFragment
}
