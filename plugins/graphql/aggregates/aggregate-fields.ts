import {
  aggregatesOf,
  type FieldModel,
  type InterfaceType,
  type ObjectType,
  type QueryModel,
  type SchemaModel,
} from '../../../core/index.ts'

/** A generated field with numbers about rows. */
export interface AggregateField<Of> {
  readonly name: string
  /** One object about all rows, or one per group. */
  readonly groups: boolean
  /** What leads to the rows. */
  readonly of: Of
  /** What the rows are. */
  readonly type: ObjectType
}

/** Root fields with numbers about rows of list queries, by name. */
export function aggregateRoots(model: SchemaModel): ReadonlyMap<string, AggregateField<QueryModel>> {
  const roots = new Map<string, AggregateField<QueryModel>>()
  for (const query of model.queries.values()) {
    if (!query.aggregate || query.named.kind !== 'object') continue
    for (const field of fieldsFor(query, query.named)) roots.set(field.name, field)
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

/** Those that stand beside a relation. */
export function besides(field: FieldModel): readonly AggregateField<FieldModel>[] {
  const { named, list, read } = field
  if (!list || read?.from !== 'relation' || named.kind !== 'object' || named.aggregate === null) return []
  return fieldsFor(field, named)
}

function fieldsFor<Of extends { readonly wireName: string }>(of: Of, type: ObjectType): readonly AggregateField<Of>[] {
  const one = { name: `${of.wireName}Aggregate`, groups: false, of, type }
  if (aggregatesOf(type).keys.size === 0) return [one]
  return [one, { name: `${of.wireName}Groups`, groups: true, of, type }]
}
