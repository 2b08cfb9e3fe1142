import type { Digits } from './digits.ts'
import type { Place } from './place.ts'

/** A column of a view or table. */
export interface CompiledColumn {
  readonly name: string
  /** The catalog's own spelling: `int8`, `text`, `timestamptz`, `_text` (array), an enum's or domain's base type. */
  readonly type: string
  /** Proven by the catalog: the column never holds NULL. */
  readonly not_null: boolean
  /** Proven by the catalog: no value stands in two rows. */
  readonly unique?: true
  /** Of vectors and bits, where the column says it: the length of each value. */
  readonly dimensions?: number
  /** Of decimals, where the column says it. */
  readonly digits?: Digits
  /** Of a column of PostGIS. */
  readonly place?: Place
}
