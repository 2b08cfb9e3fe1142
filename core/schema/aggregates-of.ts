import { type AggregateFunction, aggregateType } from './aggregate-type.ts'
import { type GroupKeyModel, groupKeysOf } from './group-keys.ts'
import type { FieldModel, InterfaceType, ObjectType } from './model.ts'

/** The functions that apply to a field, in the order in which fronts list them. */
export const FIELD_FUNCTIONS = ['countDistinct', 'sum', 'avg', 'min', 'max'] as const
export type FieldFunction = (typeof FIELD_FUNCTIONS)[number] & AggregateFunction

/** The aggregates of a type: the fields to group by and the functions. Fronts, conditions and orders use them. */
export interface Aggregates {
  /** The keys to group rows by; the keys of the map are wire names. */
  readonly keys: ReadonlyMap<string, GroupKeyModel>
  /** Fields that a function applies to, by function. */
  readonly measures: ReadonlyMap<FieldFunction, ReadonlyMap<string, MeasuredField>>
}

export interface MeasuredField {
  readonly field: FieldModel
  /** Name of the result's scalar. The result is always nullable, except for `countDistinct`. */
  readonly type: string
}

const known = new WeakMap<ObjectType | InterfaceType, Aggregates>()

/** Returns the aggregates that the option `aggregate` of the type allows. Fronts offer no aggregates for a type without the option. */
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
