import type { ModelColumn, ModelPrivileges } from '../../../contract/database-model.ts'
import { factsOfModifier, typeOfColumn } from '../catalog/column-facts.ts'
import type { Types } from '../catalog/read-types.ts'
import type { ColumnFacts } from './read-model-columns.ts'

/**
 * Converts a column from the form of the system catalog to that of the database model, from which `svc init` and `svc
 * introspect` propose a schema.
 * @param proven a view's definition proves that the column is NOT NULL in every row
 * @param privileges of the role on the relation; a statement that it may not use on any column is not listed again in
 * `refuses` of this one
 * @param postgis schema of the extension PostGIS; `null`: it is not installed
 */
export function describeColumn(
  column: ColumnFacts,
  proven: boolean,
  privileges: ModelPrivileges,
  types: Types,
  postgis: string | null,
): ModelColumn {
  const domain = types.domainOf(column.type)
  const refuses = (['insert', 'update'] as const).filter((statement) => privileges[statement] && !column[statement])
  return {
    name: column.name,
    type: typeOfColumn(types, column.type),
    sqlType: column.sqlType,
    ...(column.comment === null ? {} : { comment: column.comment }),
    notNull: column.proven || proven,
    hasDefault: column.hasDefault || !(column.notNull || domain?.notNull === true),
    ...(column.default === null || column.identity ? {} : { default: column.default }),
    ...(column.identity ? { identity: true } : {}),
    ...(column.generated ? { generated: true } : {}),
    ...(column.select ? {} : { unreadable: true }),
    ...(refuses.length === 0 || column.generated ? {} : { refuses }),
    ...(domain === null ? {} : { domain: domain.name }),
    ...enumOf(types, column.type),
    ...factsOfModifier(types.nameOf(column.type), domain?.modifier ?? column.modifier, postgis),
  }
}

/**
 * Returns `{ enum: 'schema.name' }` for an enum or an array of it, and `{}` for other types. The result is spread into
 * a description.
 * @param oid `pg_type.oid` of the type
 */
export function enumOf(types: Types, oid: string): { readonly enum?: string } {
  const found = types.enumOf(oid)
  return found === null ? {} : { enum: `${found.schema}.${found.name}` }
}
