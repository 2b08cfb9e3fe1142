/**
 * Returns the join tables of a type's or interface's relations: the objects under the key `through`, from a schema that
 * is not validated yet.
 */
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
