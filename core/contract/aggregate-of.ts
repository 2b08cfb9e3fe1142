import type { AggregateFunction } from '../schema/aggregate-type.ts'
import type { Period } from '../schema/group-keys.ts'
import type { FieldModel, QueryModel } from '../schema/model.ts'
import type { ArgumentNode, Location, ValueNode } from './value-node.ts'

/**
 * A root field that computes aggregates over the rows of a list query, in total or per group
 * (docs/guides/aggregates.md).
 */
export interface AggregateRoot extends AggregateOf {
  readonly kind: 'aggregate'
  readonly responseKey: string
  /** The list query whose rows are aggregated. Its access guards and row rules apply, and those of its type. */
  readonly operation: QueryModel
  readonly location: Location | null
  /**
   * Type or field that an `authorize` hook denied; the value of the root field is then null. Absent: nothing is denied.
   */
  readonly denied?: string
}

/** The aggregates that a client selects (`sum`, `count`, …), at a root field or at a to-many relation. */
export interface AggregateOf {
  /**
   * Arguments that select the rows: `where` and those of the list query. With groups, `limit` and `offset` apply to
   * groups, and `having` and `orderBy` are allowed, as GraphQL input objects: `{ sum: { price: { _gt: 5 } } }`,
   * `[{ sum: { price: "DESC" } }]`.
   */
  readonly arguments: readonly ArgumentNode[]
  /**
   * Group keys: scalar and enum fields, and periods of dates and times. A `ValueNode` is a list of their names in the
   * API, when variables of the request decide. `null`: the result is one object over all rows; otherwise it is a list
   * with one object per group.
   */
  readonly groupBy: readonly GroupedBy[] | ValueNode | null
  readonly fields: readonly AggregateField[]
  /** Conditions on the aggregates of a group (SQL `HAVING`). The result has only groups that satisfy all of them. */
  readonly having: readonly AggregateCondition[]
  /**
   * Sort keys of the groups that the plugin serving the protocol adds. They come before those of the argument
   * `orderBy`; the group keys come last.
   */
  readonly orderBy: readonly AggregateOrder[]
}

/** A group key: a field, or a period (such as the month) of a date or time field. */
export type GroupedBy = FieldModel | { readonly field: FieldModel; readonly period: Period }

/**
 * An aggregate function with the field whose values it aggregates. `field: null`, only with `count`: it counts rows.
 */
export interface Measure {
  readonly function: AggregateFunction
  readonly field: FieldModel | null
}

export type AggregateField =
  | ({ readonly kind: 'measure'; readonly responseKey: string } & Measure)
  /** The value of a group key. */
  | {
      readonly kind: 'key'
      readonly responseKey: string
      readonly field: FieldModel
      readonly period?: Period | null
    }
  | { readonly kind: 'typename'; readonly responseKey: string; readonly typeName: string }
  /** Null, because authorize denied the target. */
  | { readonly kind: 'denied'; readonly responseKey: string; readonly target: string }
  /** An object of aggregates: `sum { price pages }`. */
  | { readonly kind: 'object'; readonly responseKey: string; readonly fields: readonly AggregateField[] }

export interface AggregateCondition {
  readonly measure: Measure
  readonly operator: '_eq' | '_neq' | '_gt' | '_gte' | '_lt' | '_lte'
  readonly value: ValueNode
}

export interface AggregateOrder {
  readonly by: Measure | { readonly key: FieldModel; readonly period?: Period | null }
  readonly direction: 'ASC' | 'DESC' | 'ASC_NULLS_FIRST' | 'ASC_NULLS_LAST' | 'DESC_NULLS_FIRST' | 'DESC_NULLS_LAST'
}
