import { catalogNames, joinCatalogs, namesOf } from '../../compiler/catalog-names.ts'
import type { Catalog, Database } from '../../contract/database.ts'
import type { AuthoredSchema } from '../../schema/authored.ts'
import { ofDatabase } from '../other-databases.ts'

/** What all databases of a project have of what the schema names. */
export async function readCatalogs(
  schema: AuthoredSchema,
  database: Database,
  others: ReadonlyMap<string, Database>,
): Promise<Catalog> {
  const names = catalogNames(schema)
  const catalogs = new Map<string | undefined, Catalog>()
  catalogs.set(undefined, await database.catalog(namesOf(names, undefined)))
  for (const [name, other] of others) {
    const own = namesOf(names, name)
    if (own.relations.length === 0 && own.functions.length === 0) continue
    catalogs.set(
      name,
      await other.catalog(own).catch((error: unknown) => {
        throw ofDatabase(name, error)
      }),
    )
  }
  return joinCatalogs(catalogs)
}
