import type { AggregateFunction } from '../contract/operation.ts'
import type { Slot } from '../contract/slot.ts'
import type { Period } from '../schema/group-keys.ts'
import type { Tie } from './conditions/condition.ts'
import type { OperatorId } from './conditions/operator.ts'
import type { CountOf, Direction, Leaf, Page } from './plan-parts.ts'
import type { Target } from './rows/stored-value.ts'

/** Numbers about rows, of all of them or of each group. */
export interface Aggregate {
  readonly kind: 'aggregate'
  readonly from: CountOf
  /** What ties its rows to the row outside; `null` at the root. */
  readonly tie: Tie | null
  /** What is computed; members, conditions and order name it by index. The keys of groups come first. */
  readonly columns: readonly AggregateColumn[]
  /** One object per group? */
  readonly grouped: boolean
  readonly members: readonly AggregateMember[]
  readonly having: readonly GroupCondition[]
  readonly order: readonly { readonly column: number; readonly direction: Direction }[]
  /** Of the groups. */
  readonly page: Page
}

export type AggregateColumn =
  | { readonly kind: 'key'; readonly target: Target; readonly period: Period | null; readonly field: Leaf['field'] }
  /** The number of rows. */
  | { readonly kind: 'rows' }
  | {
      readonly kind: 'measure'
      readonly function: AggregateFunction
      readonly target: Target
      /** What it gives: `field.named` is a scalar. */
      readonly field: Leaf['field']
    }

export type AggregateMember = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'denied' }
  | { readonly kind: 'object'; readonly members: readonly AggregateMember[] }
)

export type GroupCondition =
  | { readonly kind: 'compare'; readonly column: number; readonly operator: OperatorId; readonly operand: Slot }
  /** Of none: `and` holds, `or` does not. */
  | { readonly kind: 'group'; readonly joint: 'and' | 'or'; readonly conditions: readonly GroupCondition[] }
  | { readonly kind: 'not'; readonly condition: GroupCondition }
