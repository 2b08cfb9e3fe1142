import { aggregatesOf, type InterfaceType, type NamedType } from '../../../core/doors/front.ts'
import type { FieldModel, ObjectType, QueryModel, SchemaModel } from '../../../core/doors/plugin.ts'

/** What rows can be counted of. */
export type CountedType = ObjectType | InterfaceType

/** A generated field with numbers about rows. */
export interface AggregateField<Of> {
  readonly name: string
  /** One object about all rows, or one per group. */
  readonly groups: boolean
  /** What leads to the rows. */
  readonly of: Of
  /** What the rows are. */
  readonly type: CountedType
}

/** Root fields with numbers about rows of list queries, by name. */
export function aggregateRoots(model: SchemaModel): ReadonlyMap<string, AggregateField<QueryModel>> {
  const roots = new Map<string, AggregateField<QueryModel>>()
  for (const query of model.queries.values()) {
    const counted = query.aggregate ? countedType(query.named) : null
    if (counted === null) continue
    for (const field of fieldsFor(query, counted)) roots.set(field.name, field)
  }
  return roots
}

/** The fields with numbers about rows that the relations of a type lead to, by name. */
export function aggregateFieldsOf(type: ObjectType | InterfaceType): ReadonlyMap<string, AggregateField<FieldModel>> {
  let fields = known.get(type)
  if (fields === undefined) {
    fields = new Map([...type.fields.values()].flatMap(besides).map((field) => [field.name, field]))
    known.set(type, fields)
  }
  return fields
}

const known = new WeakMap<ObjectType | InterfaceType, ReadonlyMap<string, AggregateField<FieldModel>>>()

/** The type, if clients may ask for numbers about its rows. */
export function countedType(named: NamedType | undefined): CountedType | null {
  const isRows = named?.kind === 'object' || named?.kind === 'interface'
  return isRows && named.aggregate !== null ? named : null
}

/** Those that stand beside a relation. */
export function besides(field: FieldModel): readonly AggregateField<FieldModel>[] {
  const { named, list, read } = field
  // What counts rows is a part of the statement around it.
  const counted = list && read?.from === 'relation' && read.across !== true ? countedType(named) : null
  return counted === null ? [] : fieldsFor(field, counted)
}

function fieldsFor<Of extends { readonly wireName: string }>(of: Of, type: CountedType): readonly AggregateField<Of>[] {
  const one = { name: `${of.wireName}Aggregate`, groups: false, of, type }
  if (aggregatesOf(type).keys.size === 0) return [one]
  return [one, { name: `${of.wireName}Groups`, groups: true, of, type }]
}
