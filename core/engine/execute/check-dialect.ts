import { SvcError } from '../../base/errors/svc-error.ts'
import type { Dialect } from '../../contract/dialect.ts'
import type { OwnedContribution } from '../../contract/write-contribution.ts'
import type { SchemaModel } from '../../schema/model.ts'

/**
 * Throws if the schema was compiled for another dialect than that of the database, because operators and types depend
 * on it. Otherwise it returns the schema.
 * @throws SvcError SVC_SCHEMA_INVALID
 */
export function checkDialect(schema: SchemaModel, dialect: Pick<Dialect, 'name'>): SchemaModel {
  if (schema.dialect === dialect.name) return schema
  throw new SvcError(
    'SVC_SCHEMA_INVALID',
    `The schema was compiled for the dialect "${schema.dialect}", and the database speaks "${dialect.name}". Run \`svc compile\` with this database.`,
  )
}

/**
 * Throws unless each database that the schema reads in addition to the default one is configured, with the dialect that
 * the schema was compiled for. Otherwise it returns the schema.
 * @param databases the configured databases, by name
 * @throws SvcError SVC_SCHEMA_INVALID
 */
export function checkDatabases(
  schema: SchemaModel,
  databases: ReadonlyMap<string, { readonly dialect: Pick<Dialect, 'name'> }>,
): SchemaModel {
  for (const [name, dialect] of schema.databases) {
    const database = databases.get(name)
    const why =
      database === undefined
        ? `svc.toml has no section [databases.${name}]`
        : database.dialect.name === dialect
          ? null
          : `that one speaks "${database.dialect.name}", and it was compiled for "${dialect}"`
    if (why === null) continue
    throw new SvcError(
      'SVC_SCHEMA_INVALID',
      `The compiled schema reads the database "${name}", and ${why}. Correct svc.toml, or run \`svc compile\` again.`,
    )
  }
  return schema
}

/**
 * Throws if a plugin inserts a row into its table for a mutation of another database. The table is in the default
 * database, and a transaction cannot span two databases. Otherwise it returns the schema.
 * @param contributions what plugins add to mutations (`scope.writes`)
 * @throws SvcError SVC_SCHEMA_INVALID
 */
export function checkInserts(schema: SchemaModel, contributions: readonly OwnedContribution[]): SchemaModel {
  for (const mutation of schema.mutations.values()) {
    const { database } = mutation.function
    if (database === undefined) continue
    for (const { plugin, insert, mutations } of contributions) {
      if (insert === undefined || mutations?.(mutation) === false) continue
      throw new SvcError(
        'SVC_SCHEMA_INVALID',
        `The plugin "${plugin}" keeps a row in ${insert.table} of the default database with what the mutation "${mutation.wireName}" writes, and that writes to the database "${database}": no transaction is of both. Have the plugin keep it elsewhere, or leave it out.`,
      )
    }
  }
  return schema
}

/**
 * Throws if `[database] role_claim` is set and the database has no roles. Every request would otherwise have the rights
 * of the connection.
 * @param roleClaim value of `role_claim`; `undefined`: it is not set
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function checkRoles(
  roleClaim: string | undefined,
  { name, hasRoles }: Pick<Dialect, 'name' | 'hasRoles'>,
): void {
  if (roleClaim === undefined || hasRoles === true) return
  throw new SvcError(
    'SVC_CONFIG_INVALID',
    `database.role_claim: a database of the dialect "${name}" has no roles. Take the key out; \`inject\` and \`row_filter\` of types and queries say there who sees which rows.`,
  )
}
