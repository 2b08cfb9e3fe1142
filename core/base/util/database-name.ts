/** Name under which svc lists the database of `[database]`. The databases of `[databases]` cannot have this name. */
export const DEFAULT_DATABASE = 'default'

/**
 * Qualifies the name of a view or function with the name of its database, `crm:v_customer`, as `sql_source` spells it.
 * A name in the default database has no prefix. A name that has a prefix already keeps it.
 * @param database database of the name; `undefined`: the default database
 */
export function inDatabase(database: string | undefined, name: string): string {
  const written = splitDatabase(name)
  const of = name.includes(':') ? written.database : database
  return of === undefined || of === DEFAULT_DATABASE ? written.name : `${of}:${written.name}`
}

/**
 * Splits a qualified name such as `crm:v_customer` into database and name. `database` is absent for the default
 * database.
 */
export function splitDatabase(name: string): { readonly database?: string; readonly name: string } {
  const colon = name.indexOf(':')
  if (colon < 0) return { name }
  const database = name.slice(0, colon)
  const rest = name.slice(colon + 1)
  return database === DEFAULT_DATABASE ? { name: rest } : { database, name: rest }
}
