import { aggregatesOf, type InterfaceType, type NamedType } from '../../../core/doors/front.ts'
import type { FieldModel, ObjectType, QueryModel, SchemaModel } from '../../../core/doors/plugin.ts'

/** A type whose rows clients can count and aggregate. */
export type CountedType = ObjectType | InterfaceType

/** A field that svc generates beside a list, which returns counts, sums and other aggregates of its rows. */
export interface AggregateField<Of> {
  readonly name: string
  /** `true`: the field returns one object per group of rows; `false`: one object for all rows. */
  readonly groups: boolean
  /** The list query or list relation whose rows are aggregated. */
  readonly of: Of
  /** Type of the aggregated rows. */
  readonly type: CountedType
}

/** Returns the aggregate fields that svc generates beside list queries on the type `Query`, by name. */
export function aggregateRoots(model: SchemaModel): ReadonlyMap<string, AggregateField<QueryModel>> {
  const roots = new Map<string, AggregateField<QueryModel>>()
  for (const query of model.queries.values()) {
    const counted = query.aggregate ? countedType(query.named) : null
    if (counted === null) continue
    for (const field of fieldsFor(query, counted)) roots.set(field.name, field)
  }
  return roots
}

/**
 * Returns the aggregate fields that svc generates beside the list relations of a type, by name. The result is cached
 * per type.
 */
export function aggregateFieldsOf(type: ObjectType | InterfaceType): ReadonlyMap<string, AggregateField<FieldModel>> {
  let fields = known.get(type)
  if (fields === undefined) {
    fields = new Map([...type.fields.values()].flatMap(besides).map((field) => [field.name, field]))
    known.set(type, fields)
  }
  return fields
}

const known = new WeakMap<ObjectType | InterfaceType, ReadonlyMap<string, AggregateField<FieldModel>>>()

/** Returns the type if clients can aggregate its rows; otherwise `null`. @param named return type of a list */
export function countedType(named: NamedType | undefined): CountedType | null {
  const isRows = named?.kind === 'object' || named?.kind === 'interface'
  return isRows && named.aggregate !== null ? named : null
}

/**
 * Returns the aggregate fields that svc generates beside a relation; empty if it is not a list in the same database.
 */
export function besides(field: FieldModel): readonly AggregateField<FieldModel>[] {
  const { named, list, read } = field
  // An aggregate is part of the surrounding statement, so the relation must be in the same database.
  const counted = list && read?.from === 'relation' && read.across !== true ? countedType(named) : null
  return counted === null ? [] : fieldsFor(field, counted)
}

function fieldsFor<Of extends { readonly wireName: string }>(of: Of, type: CountedType): readonly AggregateField<Of>[] {
  const one = { name: `${of.wireName}Aggregate`, groups: false, of, type }
  if (aggregatesOf(type).keys.size === 0) return [one]
  return [one, { name: `${of.wireName}Groups`, groups: true, of, type }]
}
