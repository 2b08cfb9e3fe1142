import { SvcError } from '../../base/errors/svc-error.ts'
import type { Dialect } from '../../contract/dialect.ts'
import type { OwnedContribution } from '../../contract/write-contribution.ts'
import type { SchemaModel } from '../../schema/model.ts'

/**
 * Checks that the database has the dialect that the schema was compiled for, because operators and types depend on it.
 * @returns the schema
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
 * Checks that each further database of the schema is configured and has the dialect that the schema was compiled for.
 * @returns the schema
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
 * Checks that no plugin inserts rows for mutations of other databases: its table is in the default database, and a transaction cannot span
 * two databases.
 * @returns the schema
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
 * Checks that the database supports roles if `[database] role_claim` is set. Otherwise every request would have the rights of the
 * connection.
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
