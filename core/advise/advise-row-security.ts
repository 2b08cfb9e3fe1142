import type { Database } from '../contract/database.ts'
import type { DatabaseModel } from '../contract/database-model.ts'
import { quoteName } from '../introspect/crud/quote-name.ts'
import { qualified, sourceOf } from '../introspect/qualified.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { Advice } from './advice.ts'
import type { BaseColumns } from './base-columns.ts'
import { tableName } from './create-index.ts'
import type { DatabaseFacts } from './read-facts.ts'

/** Tables that a message names. */
const NAMES = 5

/**
 * Advises on tables whose row-level security is enabled but is bypassed by the reads of the service, because of its
 * role or of a view.
 * @param base maps columns of views to columns of tables
 * @param switchesRole `true`: each request runs as a role of its own (`database.role_claim`), so the role of the
 * connection is not checked
 */
export async function adviseRowSecurity(
  database: Database,
  schema: SchemaModel,
  { relations }: DatabaseModel,
  base: BaseColumns,
  { role, owned }: DatabaseFacts,
  switchesRole: boolean,
): Promise<readonly Advice[]> {
  const secured = relations.filter(({ rowSecurity }) => rowSecurity !== undefined)
  if (role === null || secured.length === 0) return []
  const views = await viewsThatBypass(database, schema, base)
  if (switchesRole) return views
  if (role.superuser || role.bypassesRowSecurity) {
    const names = secured.slice(0, NAMES).map(sourceOf).join(', ')
    const more = secured.length > NAMES ? ` and ${secured.length - NAMES} more` : ''
    const why = role.superuser ? 'is a superuser' : 'has BYPASSRLS'
    return [
      bypass(
        role.name,
        `the role of the service ${why}, so no policy applies to its reads: ${names}${more}. Connect as another role`,
        [],
        secured.length,
      ),
      ...views,
    ]
  }
  const ofOwner = secured
    .filter((table) => table.rowSecurity === 'enabled' && owned.has(qualified(table)))
    .map((table) =>
      bypass(
        sourceOf(table),
        `the role of the service (${role.name}) owns the table, and policies do not apply to the owner`,
        [`ALTER TABLE ${tableName(table, { quote: quoteName })} FORCE ROW LEVEL SECURITY;`],
        1,
      ),
    )
  return [...ofOwner, ...views]
}

function bypass(subject: string, message: string, statements: readonly string[], weight: number): Advice {
  return { rule: 'row-security-bypassed', subject, level: 'warning', weight, message, statements, usedBy: [] }
}

/** A view reads its tables with the rights of its owner, unless it is a `security_invoker` view. */
async function viewsThatBypass(database: Database, schema: SchemaModel, base: BaseColumns): Promise<readonly Advice[]> {
  const names = [...schema.sources].flatMap(([name, source]) =>
    base.relationOf(source)?.kind === 'view' ? [name] : [],
  )
  if (names.length === 0) return []
  const catalog = await database.catalog({ relations: names, functions: [] })
  return names.flatMap((name) => {
    const relation = base.relationOf(schema.sources.get(name)!)!
    const bypasses = catalog.relations.get(name)?.bypasses ?? []
    if (bypasses.length === 0) return []
    const tables = bypasses.map(({ table }) => table).join(', ')
    const message = `reads ${tables} with the rights of ${bypasses[0]!.owner}, to whom the policies do not apply. The statement is for PostgreSQL 15 and newer; before, give the view an owner to whom they apply`
    return [
      bypass(
        sourceOf(relation),
        message,
        [`ALTER VIEW ${tableName(relation, { quote: quoteName })} SET (security_invoker = true);`],
        1,
      ),
    ]
  })
}
