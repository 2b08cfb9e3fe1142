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

/** Returns the fields of a type by declared name and by wire name. */
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

/** Finds a field for `select`. @throws SvcError UNKNOWN_PARAMETER */
export function selectable(type: ObjectType, name: string): FieldModel {
  const { byName, all } = fieldsOf(type)
  const field = byName.get(name)
  if (field === undefined) throw unknownParameter(name, all, `field of ${type.name}`)
  return field
}

/** Finds a field for `sort`. @throws SvcError UNKNOWN_PARAMETER */
export function sortable(type: ObjectType, name: string): FieldModel {
  const { byName, sortable: names } = fieldsOf(type)
  const field = byName.get(name)
  if (field === undefined || !isOrderable(field)) throw unknownParameter(name, names, `sort key of ${type.name}`)
  return field
}
