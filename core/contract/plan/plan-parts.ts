import type { FieldModel } from '../../schema/model.ts'
import type { Slot } from '../slot.ts'
import type { Condition } from './condition.ts'
import type { SourceRow, StoredValue } from './stored-value.ts'

// Types that the plans of all kinds of reads use.

export type Direction = 'ASC' | 'DESC' | 'ASC_NULLS_FIRST' | 'ASC_NULLS_LAST' | 'DESC_NULLS_FIRST' | 'DESC_NULLS_LAST'

/** A number of rows: a constant of the document, or bound per request. */
export type Count = number | Slot

export interface Page {
  readonly limit: Count | null
  readonly offset: Count | null
  /** Limit of a list without a `limit` argument. One row more than the limit is an error. */
  readonly guard: Guard | null
}

/** Maximum number of rows of a list without a `limit` argument (`svc.max_rows`), and the path of the list for the error if there are more. */
export interface Guard {
  readonly most: number
  /** Response keys from the root to the list, without indexes. */
  readonly path: readonly string[]
}

/** A scalar or an enum, or lists of them. */
export interface Leaf {
  readonly kind: 'leaf'
  readonly value: StoredValue
  readonly field: Pick<FieldModel, 'name' | 'type' | 'named'>
  /** `true`: a function masks the value for the caller after the read. */
  readonly masked?: boolean
}

/** The number of rows, regardless of the page. */
export interface CountOf {
  readonly row: SourceRow
  readonly rules: readonly Condition[]
  readonly where: readonly Condition[]
  readonly filter: Condition | null
}
