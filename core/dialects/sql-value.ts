import type { Place } from '../schema/place.ts'
import type { SqlFragment } from '../sql/fragment.ts'

/** A stored value as SQL, before it takes its form for the wire or for a comparison. */
export type SqlValue =
  | {
      readonly from: 'column'
      readonly sql: SqlFragment
      readonly type: string | null
      readonly notNull: boolean
      /** Of a column of PostGIS. Absent: of another. */
      readonly place?: Place
    }
  | {
      readonly from: 'document'
      readonly json: SqlFragment
      readonly text: SqlFragment
      /** `false`: `json` is of type json. */
      readonly jsonb: boolean
    }

/**
 * What the catalog says about a leaf that the database writes. `proven`: always a value of its type. `finite`: unless it
 * is one of the dialect's `noNumbers`. `none`: anything may stand there, so the response is looked at before it is sent.
 */
export type LeafProof = 'proven' | 'finite' | 'none'

/** A column of PostGIS as it stands, by which its indexes are found. */
export interface PlaceColumn extends Place {
  readonly column: SqlFragment
}

/** The left side of a comparison, and what the right side has to be. */
export interface Comparable {
  readonly value: SqlFragment
  /** By which rows are sorted, where it is something else. */
  readonly sort?: SqlFragment
  readonly text: SqlFragment
  /** Of a column of search words: the column. */
  readonly words?: SqlFragment
  /** Of a place in a column of PostGIS: the column. */
  readonly place?: PlaceColumn
  /** Gives a parameter the type of `value`. */
  readonly operand: (slot: SqlFragment) => SqlFragment
  /** Gives a parameter that is a list the type of a list of `value`. */
  readonly list: (slot: SqlFragment) => SqlFragment
}

/** The right side of an operator. */
export interface SqlOperand {
  /** A parameter, cast to what the operand's kind says. Not to be used for `boolean`. */
  readonly sql: SqlFragment
  /** Value of a `boolean` operand: part of the shape of a plan, so it may decide the SQL. */
  readonly yes: boolean
}

/** One part of keys that rows are looked up by. */
export interface ComparedKeys {
  /** A parameter that is a list: of all keys, in their order. */
  readonly keys: SqlFragment
  readonly target: Comparable
}

/** A value beside each key that rows are looked up by. */
export interface LookupTexts {
  /** A parameter that is a list of texts: for all keys, in their order. */
  readonly texts: SqlFragment
  /** That each is cast to. */
  readonly type: string
}

/** How a dialect writes an operator of the table (`core/plan/conditions/operators.ts`). */
export type EmitOperator = (
  target: Pick<Comparable, 'value' | 'text' | 'words' | 'place'>,
  operand: SqlOperand,
) => SqlFragment

/** What a `SELECT` gives for one object, and how the level above takes it. */
export interface Projection {
  /** Select list. */
  readonly columns: SqlFragment
  /** The object, over the subquery of those columns, whose alias is `r$`. */
  readonly value: SqlFragment
}

/** A member of an object as SQL. */
export interface SqlMember {
  readonly key: string
  readonly value: SqlFragment
  /** Is it an object or a list, which is not to be quoted as a text? */
  readonly nested: boolean
}

/** A member of an object that is put together as text: its JSON, known (`string`) or an expression of type text. */
export interface TextMember {
  readonly key: string
  readonly value: string | SqlFragment
}
