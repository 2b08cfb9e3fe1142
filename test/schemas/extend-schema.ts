import type { AuthoredSchema } from '../../core/schema/authored.ts'

/** A schema with the types, queries and other elements of further schemas behind its own. */
export function extendSchema(base: AuthoredSchema, ...additions: readonly Partial<AuthoredSchema>[]): AuthoredSchema {
  const extended: Record<string, unknown> = { ...base }
  for (const [key, value] of additions.flatMap((addition) => Object.entries(addition))) {
    const before = extended[key]
    extended[key] = Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value
  }
  return extended as unknown as AuthoredSchema
}
