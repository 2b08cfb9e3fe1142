import type { Dialect } from '../dialects/dialect.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { SchemaModel } from '../schema/model.ts'

/**
 * The database has to speak what the schema was compiled for: operators and types follow from it.
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
 * `[database] role_claim` needs a database that has roles: without them every request would see what the connection sees.
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
