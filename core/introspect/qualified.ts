import type { QualifiedName } from '../contract/database-model.ts'

type Name = Pick<QualifiedName, 'schema' | 'name'>

/** Returns the name with its schema, for reports and look-ups. */
export function qualified({ schema, name }: Name): string {
  return schema === undefined ? name : `${schema}.${name}`
}

/** Returns the name as `sql_source` has it: with the schema where the search path does not find it. */
export function sourceOf({ schema, name, visible }: QualifiedName): string {
  return schema === undefined || (visible && !name.includes('.')) ? name : `${schema}.${name}`
}

/** Returns the reason why `sql_source` cannot contain the name; `null`: the name is valid. */
export function sourceProblem({ schema, name }: Name): string | null {
  if (name.includes(':') || schema?.includes(':') === true)
    return 'has a colon in its name, which separates the database in sql_source'
  if (schema?.includes('.') === true || (schema === undefined && name.includes('.')))
    return 'has a dot in its name, which separates the schema in sql_source'
  return null
}

/** Finds an override by the qualified name, or by the name without its schema. */
export function overrideOf(
  overrides: Readonly<Record<string, string>> | undefined,
  of: Name,
  ...rest: readonly string[]
): string | undefined {
  if (overrides === undefined) return undefined
  const keys = [[qualified(of), ...rest].join('.'), [of.name, ...rest].join('.')]
  const key = keys.find((candidate) => Object.hasOwn(overrides, candidate))
  return key === undefined ? undefined : overrides[key]
}
