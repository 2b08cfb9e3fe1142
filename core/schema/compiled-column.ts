import type { Digits } from './digits.ts'
import type { Place } from './place.ts'

/** A column of a view or table. */
export interface CompiledColumn {
  readonly name: string
  /** The catalog's own spelling: `int8`, `text`, `timestamptz`, `_text` (array), an enum's or domain's base type. */
  readonly type: string
  /** `true` if the catalog proves that the column never contains NULL. */
  readonly not_null: boolean
  /** Proven by the catalog: no two rows have the same value. */
  readonly unique?: true
  /** Length of each value of a vector or bit column, when the column declares it. */
  readonly dimensions?: number
  /** Digits of a decimal column, when the column declares them. */
  readonly digits?: Digits
  /** Shape and reference system of a PostGIS column. */
  readonly place?: Place
}
