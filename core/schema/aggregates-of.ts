import { type AggregateFunction, aggregateType } from './aggregate-type.ts'
import { type GroupKeyModel, groupKeysOf } from './group-keys.ts'
import type { FieldModel, InterfaceType, ObjectType } from './model.ts'

/** Aggregate functions over a field, in the order in which APIs list them. (`count` counts rows and needs no field.) */
export const FIELD_FUNCTIONS = ['countDistinct', 'sum', 'avg', 'min', 'max'] as const
export type FieldFunction = (typeof FIELD_FUNCTIONS)[number] & AggregateFunction

/** What aggregate queries over rows of a type can group by and compute. */
export interface Aggregates {
  /** Keys to group rows by, by their name in the API. */
  readonly keys: ReadonlyMap<string, GroupKeyModel>
  /** For each aggregate function, the fields that it applies to, by their name in the API. */
  readonly measures: ReadonlyMap<FieldFunction, ReadonlyMap<string, MeasuredField>>
}

export interface MeasuredField {
  readonly field: FieldModel
  /** Scalar of the function's result. The result is nullable, except for `countDistinct`. */
  readonly type: string
}

const known = new WeakMap<ObjectType | InterfaceType, Aggregates>()

/**
 * Returns what aggregate queries over rows of a type can group by and compute, within the limits of its option
 * `aggregate`. Whether the type has that option is for the caller to check.
 */
export function aggregatesOf(type: ObjectType | InterfaceType): Aggregates {
  let aggregates = known.get(type)
  if (aggregates === undefined) {
    aggregates = readAggregates(type)
    known.set(type, aggregates)
  }
  return aggregates
}

function readAggregates(type: ObjectType | InterfaceType): Aggregates {
  const only = type.aggregate
  const allowed = (of: 'groupBy' | FieldFunction, name: string): boolean => only?.[of]?.has(name) ?? true
  const fields = [...type.fields.values()]
  const measures = FIELD_FUNCTIONS.map((name) => {
    const measured = fields.flatMap((field): [string, MeasuredField][] => {
      const result = allowed(name, field.wireName) ? aggregateType(name, field) : null
      return result === null ? [] : [[field.wireName, { field, type: result }]]
    })
    return [name, new Map(measured)] as const
  })
  return {
    keys: groupKeysOf(type.fields, (name) => allowed('groupBy', name)),
    measures: new Map(measures.filter(([, measured]) => measured.size > 0)),
  }
}
