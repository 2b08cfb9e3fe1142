import type { FieldNode } from '../graphql/api.ts'

/**
 * Tests for the fields `__typename`, `__schema` and `__type`. They are not counted: introspection has 13 levels and
 * does not query the database.
 */
export function isMeta(field: FieldNode): boolean {
  return field.name.value.startsWith('__')
}
