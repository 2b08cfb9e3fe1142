import type { FieldNode } from '../graphql/api.ts'

/** `__typename`, `__schema`, `__type`: free, since introspection is 13 levels deep and asks no database. */
export function isMeta(field: FieldNode): boolean {
  return field.name.value.startsWith('__')
}
