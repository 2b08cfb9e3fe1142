/** Returns the objects `through` of the relations of a type or interface, in a schema that is not validated yet. */
export function joinSources({ fields }: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
  if (!Array.isArray(fields)) return []
  return fields.flatMap((field: unknown) => {
    const through = isObject(field) && isObject(field.relation) ? field.relation.through : undefined
    return isObject(through) ? [through] : []
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
