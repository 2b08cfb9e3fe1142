/** The database of `[database]`, where others stand beside it. No other can be called so. */
export const DEFAULT_DATABASE = 'default'

/** The name of a view or function among those of all databases: `crm:v_customer`; of the default one `v_customer`. */
export function inDatabase(database: string | undefined, name: string): string {
  const written = splitDatabase(name)
  const of = name.includes(':') ? written.database : database
  return of === undefined || of === DEFAULT_DATABASE ? written.name : `${of}:${written.name}`
}

/** The database that a name says, and the name there. */
export function splitDatabase(name: string): { readonly database?: string; readonly name: string } {
  const colon = name.indexOf(':')
  if (colon < 0) return { name }
  const database = name.slice(0, colon)
  const rest = name.slice(colon + 1)
  return database === DEFAULT_DATABASE ? { name: rest } : { database, name: rest }
}
