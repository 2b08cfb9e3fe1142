import { inDatabase, splitDatabase } from '../base/util/database-name.ts'
import { toSnakeCase } from '../base/util/naming.ts'
import type { Catalog, CatalogNames } from '../contract/database.ts'
import type { AuthoredSchema } from '../schema/authored.ts'
import { copySchema } from './copy-schema.ts'
import { Report } from './ground/report.ts'
import { joinSources } from './passes/join-sources.ts'
import { normaliseSchema } from './passes/normalise.ts'
import { placeInDatabases } from './passes/place-in-databases.ts'

/**
 * Returns the names of the views, tables and functions that a schema uses, so that only these are read from the
 * database catalog before compilation. The list includes names that svc derives, such as `v_user` for the type `User`.
 */
export function catalogNames(authored: AuthoredSchema): CatalogNames {
  // Without the keys of plugins: neither their aliases nor their lists of views affect the names.
  const schema = normaliseSchema(copySchema(authored), new Report(), [])
  placeInDatabases(schema as Readonly<Record<string, unknown>> | null, [])
  const relations = new Set<string>()
  const functions = new Set<string>()
  const source = (name: unknown): void => {
    if (typeof name === 'string') relations.add(name)
  }
  const databases = new Set<string | undefined>([undefined])
  for (const { database } of [...list(schema?.types), ...list(schema?.queries)]) {
    if (typeof database === 'string') databases.add(database)
  }
  for (const element of list(schema?.types)) named(element, text(element.database))
  for (const element of [...list(schema?.interfaces), ...list(schema?.unions)]) {
    for (const database of databases) named(element, database)
  }
  for (const owner of [...list(schema?.types), ...list(schema?.interfaces)]) {
    for (const through of joinSources(owner)) source(through.sql_source)
  }
  for (const query of list(schema?.queries)) source(query.sql_source)
  for (const mutation of list(schema?.mutations)) {
    const name = mutation.sql_source ?? inDatabase(text(mutation.database), `fn_${toSnakeCase(String(mutation.name))}`)
    if (typeof name === 'string') functions.add(name)
    if (typeof mutation.upsert_function === 'string') functions.add(mutation.upsert_function)
  }
  return { relations: [...relations], functions: [...functions] }

  function named(element: Record<string, unknown>, database: string | undefined): void {
    source(element.sql_source)
    if (typeof element.name !== 'string') return
    for (const prefix of ['v', 'tv', 'va']) source(inDatabase(database, `${prefix}_${toSnakeCase(element.name)}`))
  }
}

/**
 * Returns those of the names that belong to one database, without the prefix of the database.
 * @param database name in `[databases]`; `undefined`: the default database
 */
export function namesOf(names: CatalogNames, database: string | undefined): CatalogNames {
  const own = (all: readonly string[]): readonly string[] =>
    all.map(splitDatabase).flatMap((each) => (each.database === database ? [each.name] : []))
  return { relations: own(names.relations), functions: own(names.functions) }
}

/**
 * Joins the catalogs of several databases to one. Names of objects outside the default database get the name of their
 * database: `crm:v_customer`.
 * @param catalogs catalogs by name of the database; `undefined` is the default database
 */
export function joinCatalogs(catalogs: ReadonlyMap<string | undefined, Catalog>): Catalog {
  const all = [...catalogs]
  const names = (of: (catalog: Catalog) => Iterable<string>): string[] =>
    all.flatMap(([database, catalog]) => [...of(catalog)].map((name) => inDatabase(database, name)))
  return {
    relations: new Map(
      all.flatMap(([database, { relations }]) =>
        [...relations].map(([name, one]) => [inDatabase(database, name), one]),
      ),
    ),
    functions: new Map(
      all.flatMap(([database, { functions }]) =>
        [...functions].map(([name, one]) => [inDatabase(database, name), one]),
      ),
    ),
    allRelations: names(({ allRelations }) => allRelations),
    allFunctions: names(({ allFunctions }) => allFunctions),
    elsewhere: {
      relations: names(({ elsewhere }) => elsewhere?.relations ?? []),
      functions: names(({ elsewhere }) => elsewhere?.functions ?? []),
    },
    extensions: names(({ extensions = [] }) => extensions),
    ...(all.some(([, { searchConfigs }]) => searchConfigs !== undefined)
      ? { searchConfigs: names(({ searchConfigs = [] }) => searchConfigs) }
      : {}),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/**
 * Returns the objects of a list. The schema has not been validated yet, so that any other value counts as an empty
 * list.
 */
function list(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((item) => item !== null && typeof item === 'object') : []
}
