import { DEFAULT_DATABASE, inDatabase } from '../../base/util/database-name.ts'
import type { OwnedKeys } from '../../schema/plugin-keys.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import { joinSources } from './join-sources.ts'

/** An object of the schema before it is validated. */
type Loose = Record<string, unknown>

const SOURCES = ['sql_source', 'upsert_function'] as const
const VIEW_LISTS = ['additional_views']

/**
 * Completes a schema whose types are in several databases, in place: an operation without a database gets that of its
 * result, and names of views and functions outside the default database get its name: `crm:v_customer`. A second call
 * changes nothing.
 * @param owned keys of `schema.json` that plugins define, some of which list names of views
 */
export function placeInDatabases(schema: Readonly<Record<string, unknown>> | null, owned: readonly OwnedKeys[]): void {
  if (schema === null) return
  const viewLists = [...VIEW_LISTS, ...owned.flatMap((keys) => keys.viewLists ?? [])]
  const types = list(schema.types)
  const ofType = new Map<string, string | undefined>()
  const databases = databasesOfQueries(list(schema.queries))
  for (const type of types) {
    const isDefault = type.database === DEFAULT_DATABASE
    normalise(type)
    const inferred =
      isDefault || type.database !== undefined ? undefined : commonDatabase(databases.get(type.name) ?? [])
    if (inferred !== undefined) type.database = inferred
    ofType.set(String(type.name), text(type.database))
  }
  for (const union of list(schema.unions)) {
    const [first] = Array.isArray(union.members) ? union.members : []
    ofType.set(String(union.name), ofType.get(String(first)))
  }
  for (const element of list(schema.interfaces)) {
    const member = types.find((type) => Array.isArray(type.implements) && type.implements.includes(element.name))
    ofType.set(String(element.name), text(member?.database))
  }
  for (const element of [...list(schema.unions), ...list(schema.interfaces)]) {
    qualify(element, ofType.get(String(element.name)), [])
  }
  for (const type of types) qualify(type, text(type.database), [])
  for (const owner of [...types, ...list(schema.interfaces)]) {
    for (const through of joinSources(owner)) qualify(through, ofType.get(String(owner.name)), [])
  }
  for (const subscription of list(schema.subscriptions)) normalise(subscription)
  for (const operation of [...list(schema.queries), ...list(schema.mutations)]) {
    const isDefault = operation.database === DEFAULT_DATABASE
    normalise(operation)
    const inferred = ofType.get(resultOf(operation.type) ?? '')
    const database = isDefault ? undefined : (text(operation.database) ?? inferred)
    if (database !== undefined) operation.database = database
    qualify(operation, database, viewLists)
  }
}

/** Returns the databases of the queries of each type, by its name. */
function databasesOfQueries(queries: readonly Loose[]): ReadonlyMap<unknown, readonly (string | undefined)[]> {
  const found = new Map<unknown, (string | undefined)[]>()
  for (const { type, database } of queries) {
    const name = resultOf(type)
    const others = found.get(name)
    if (others === undefined) found.set(name, [text(database)])
    else others.push(text(database))
  }
  return found
}

/** Returns the database that all queries have; `undefined` when they differ or there are none. */
function commonDatabase(databases: readonly (string | undefined)[]): string | undefined {
  const [first] = databases
  return first !== DEFAULT_DATABASE && databases.every((database) => database === first) ? first : undefined
}

function resultOf(type: unknown): string | undefined {
  const ref = typeof type === 'string' ? parseTypeRef(type) : null
  return ref === null ? undefined : namedTypeOf(ref).name
}

function normalise(element: Loose): void {
  if (element.database === DEFAULT_DATABASE) delete element.database
}

function qualify(element: Loose, database: string | undefined, viewLists: readonly string[]): void {
  for (const key of SOURCES) {
    const name = element[key]
    if (typeof name === 'string') element[key] = inDatabase(database, name)
  }
  for (const key of viewLists) {
    const names = element[key]
    if (Array.isArray(names)) {
      element[key] = names.map((name) => (typeof name === 'string' ? inDatabase(database, name) : name))
    }
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function list(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter((item) => item !== null && typeof item === 'object') : []
}
