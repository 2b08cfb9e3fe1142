import { filterOperators, isOrderable } from '../../../core/doors/front.ts'
import type { FieldModel, ObjectType } from '../../../core/doors/plugin.ts'
import { unknownParameter } from './refusals.ts'

interface KnownFields {
  readonly byName: ReadonlyMap<string, FieldModel>
  readonly filterable: readonly string[]
  readonly sortable: readonly string[]
  readonly all: readonly string[]
}

const known = new WeakMap<ObjectType, KnownFields>()

/**
 * Returns the fields of a type for REST parameters: by their names in `schema.json` and in GraphQL, and which can be
 * filtered and sorted.
 */
export function fieldsOf(type: ObjectType): KnownFields {
  let fields = known.get(type)
  if (fields === undefined) {
    const all = [...type.fields.values()]
    fields = {
      byName: new Map([...all.map((field) => [field.name, field] as const), ...type.fields]),
      filterable: all.filter((field) => filterOperators.ofField(field).length > 0).map(({ wireName }) => wireName),
      sortable: all.filter(isOrderable).map(({ wireName }) => wireName),
      all: all.map(({ wireName }) => wireName),
    }
    known.set(type, fields)
  }
  return fields
}

/** Finds the field that a name in the parameter `select` means. @throws SvcError UNKNOWN_PARAMETER */
export function selectable(type: ObjectType, name: string): FieldModel {
  const { byName, all } = fieldsOf(type)
  const field = byName.get(name)
  if (field === undefined) throw unknownParameter(name, all, `field of ${type.name}`)
  return field
}

/**
 * Finds the field that a name in the parameter `sort` means.
 * @throws SvcError UNKNOWN_PARAMETER when it does not exist or cannot be sorted by
 */
export function sortable(type: ObjectType, name: string): FieldModel {
  const { byName, sortable: names } = fieldsOf(type)
  const field = byName.get(name)
  if (field === undefined || !isOrderable(field)) throw unknownParameter(name, names, `sort key of ${type.name}`)
  return field
}
