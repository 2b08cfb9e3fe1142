import type { FieldNode } from '../graphql/api.ts'

/** Is it `__typename`, `__schema` or `__type`? They are free: introspection has 13 levels and does not query the database. */
export function isMeta(field: FieldNode): boolean {
  return field.name.value.startsWith('__')
}
