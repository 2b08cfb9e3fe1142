import type { SqlFragment } from '../engine/sql/fragment.ts'
import type { CompiledColumn } from '../schema/compiled.ts'

/**
 * SQL that numbers and orders the rows of a keyset page. The query reads one row more than `size`, to detect a next
 * page; aggregates exclude that row.
 */
export interface PageOrder {
  /** SQL of the number of a row, from 1, in the order in which the page is read. */
  readonly number: SqlFragment
  /** `true`: the response lists rows by ascending `number` (a page read forward); `false`: by descending `number` (as with `last`). */
  readonly ascending: boolean
  readonly size: SqlFragment
}

/** A sort key of a page that is read with a cursor (keyset pagination). */
export interface PageKey {
  /** SQL of the value that rows are sorted by. */
  readonly value: SqlFragment
  /** SQL of the value as a text that loses nothing, for the content of a cursor. */
  readonly text: SqlFragment
  /** Converts a parameter with such a text, from a client's cursor, to a value that is comparable with `value`. */
  readonly operand: (slot: SqlFragment) => SqlFragment
}

/** An ordered list of related rows, of which a page is read. */
export interface PartOfList {
  /** Value of a row, from a {@link Projection}. */
  readonly value: SqlFragment
  /** All rows of the list, after FROM: the source with its alias, and ` WHERE …`. */
  readonly rows: SqlFragment
  /** ` ORDER BY …` of {@link Primitives.list}; empty: any order. */
  readonly order: SqlFragment
  readonly limit: SqlFragment | null
  readonly offset: SqlFragment | null
  readonly alias: SqlFragment
  /** The source of the rows with its alias, and the columns that identify one; `null`: no key is known. */
  readonly row: { readonly source: SqlFragment; readonly key: readonly CompiledColumn[] } | null
}
