import type { Digits } from './digits.ts'
import type { Place } from './place.ts'

/** A column of a view or table, as the database catalog described it during compilation. */
export interface CompiledColumn {
  readonly name: string
  /**
   * Type name in the database catalog: `int8`, `text`, `timestamptz`, `_text` (an array). For an enum or domain, its
   * base type.
   */
  readonly type: string
  /** `true` if the database catalog proves that the column never contains NULL. */
  readonly not_null: boolean
  /** `true` if the database catalog proves that no two rows have the same value in the column. */
  readonly unique?: true
  /** Of a JSON column: types that every text under a key can be cast to, by key, as an index over the cast proves. */
  readonly casts?: Readonly<Record<string, readonly string[]>>
  /** Number of dimensions (or bits) of each value, if a vector or bit column declares it. */
  readonly dimensions?: number
  /** Precision and scale, if a decimal column declares them. */
  readonly digits?: Digits
  /** Geometry type and spatial reference system, for a PostGIS column. */
  readonly place?: Place
}
