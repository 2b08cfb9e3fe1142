import type { QualifiedName } from '../contract/database-model.ts'

type Name = Pick<QualifiedName, 'schema' | 'name'>

/** Returns the name of a database object with its schema, if it has one: `sales.order_items`. */
export function qualified({ schema, name }: Name): string {
  return schema === undefined ? name : `${schema}.${name}`
}

/** Returns the name of a table or view for `sql_source`: with its schema if the search path does not find it. */
export function sourceOf({ schema, name, visible }: QualifiedName): string {
  return schema === undefined || (visible && !name.includes('.')) ? name : `${schema}.${name}`
}

/** Returns why `sql_source` cannot contain a name, such as a name with a colon; `null`: it can. */
export function sourceProblem({ schema, name }: Name): string | null {
  if (name.includes(':') || schema?.includes(':') === true)
    return 'has a colon in its name, which separates the database in sql_source'
  if (schema?.includes('.') === true || (schema === undefined && name.includes('.')))
    return 'has a dot in its name, which separates the schema in sql_source'
  return null
}

/**
 * Finds the entry of `overrides` for a database object, by its name with or without the schema.
 * @param rest further parts of the key: the column, for a field
 */
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
