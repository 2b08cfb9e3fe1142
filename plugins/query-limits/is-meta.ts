import type { FieldNode } from '../graphql/api.ts'

/**
 * Tests whether a field is `__typename`, `__schema` or `__type`. Limits do not count these, because they do not query
 * the database.
 */
export function isMeta(field: FieldNode): boolean {
  return field.name.value.startsWith('__')
}
