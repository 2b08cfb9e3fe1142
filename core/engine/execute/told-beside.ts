import type { FieldSelection } from '../../contract/operation.ts'
import type { FieldModel, NamedType, ObjectType, ScalarType, SchemaModel } from '../../schema/model.ts'
import type { TypeRef } from '../../schema/type-ref.ts'

const known = new WeakMap<ObjectType, Map<string, FieldSelection>>()

/** Returns the selections of `ToldRows.beside`. Relations are omitted, because their values are in other rows. */
export function besideOf(
  type: ObjectType,
  names: readonly string[],
  schema: Pick<SchemaModel, 'types'>,
): readonly FieldSelection[] {
  if (names.length === 0) return []
  const own = known.get(type) ?? new Map<string, FieldSelection>()
  known.set(type, own)
  const wanted = new Set(names)
  return [...type.fields.values()]
    .filter(({ name, read }) => wanted.has(name) && read !== null && read.from !== 'relation')
    .map((field) => {
      const selection = own.get(field.name) ?? selectStored(field, schema)
      own.set(field.name, selection)
      return selection
    })
}

/** Selects a field as it is stored: enums and custom scalars as their base types, nullable. */
function selectStored(field: FieldModel, { types }: Pick<SchemaModel, 'types'>): FieldSelection {
  const scalar = (name: string): ScalarType => types.get(name) as ScalarType
  const named: NamedType = field.list
    ? scalar('JSON')
    : field.named.kind === 'scalar'
      ? scalar(field.named.base)
      : scalar(field.named.kind === 'enum' ? 'String' : 'JSON')
  const type: TypeRef = { kind: 'named', name: named.name, nullable: true }
  const stored: FieldModel = { ...field, named, type, list: false }
  const key = `@${field.name}`
  return { kind: 'field', responseKey: key, field: stored, arguments: [], selection: null, location: null }
}
