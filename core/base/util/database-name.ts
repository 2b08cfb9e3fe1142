/** Name of the database of `[database]`. The databases of `[databases]` cannot have this name. */
export const DEFAULT_DATABASE = 'default'

/** Returns the qualified name of a view or function: `crm:v_customer`; in the default database `v_customer`. */
export function inDatabase(database: string | undefined, name: string): string {
  const written = splitDatabase(name)
  const of = name.includes(':') ? written.database : database
  return of === undefined || of === DEFAULT_DATABASE ? written.name : `${of}:${written.name}`
}

/** Splits a qualified name into database and name. */
export function splitDatabase(name: string): { readonly database?: string; readonly name: string } {
  const colon = name.indexOf(':')
  if (colon < 0) return { name }
  const database = name.slice(0, colon)
  const rest = name.slice(colon + 1)
  return database === DEFAULT_DATABASE ? { name: rest } : { database, name: rest }
}
