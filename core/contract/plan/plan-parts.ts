import type { FieldModel } from '../../schema/model.ts'
import type { Slot } from '../slot.ts'
import type { Condition } from './condition.ts'
import type { SourceRow, StoredValue } from './stored-value.ts'

// Types that the plans of all kinds of reads use.

export type Direction = 'ASC' | 'DESC' | 'ASC_NULLS_FIRST' | 'ASC_NULLS_LAST' | 'DESC_NULLS_FIRST' | 'DESC_NULLS_LAST'

/**
 * A number of rows for limit or offset: a constant in the client's document, or a parameter that each request fills.
 */
export type Count = number | Slot

export interface Page {
  readonly limit: Count | null
  readonly offset: Count | null
  /** Maximum number of rows, when the list has no `limit` argument; `null`: it has one, or there is no maximum. */
  readonly guard: Guard | null
}

/** Limit for a list without a `limit` argument (`svc.max_rows`). A longer list is an error at its path. */
export interface Guard {
  readonly most: number
  /** Path of the list in the response: response keys from the root, without list indexes. */
  readonly path: readonly string[]
}

/**
 * A selected field without subfields: a scalar or an enum, or a list of them, with the stored value that it is read
 * from.
 */
export interface Leaf {
  readonly kind: 'leaf'
  readonly value: StoredValue
  readonly field: Pick<FieldModel, 'name' | 'type' | 'named'>
  /** `true`: the engine replaces the value by the result of a mask function after reading it. */
  readonly masked?: boolean
}

/** The rows of a list before `limit` and `offset` apply, for their total count: a view or table with its conditions. */
export interface CountOf {
  readonly row: SourceRow
  readonly rules: readonly Condition[]
  readonly where: readonly Condition[]
  readonly filter: Condition | null
}
