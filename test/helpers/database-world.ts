/** How databases of tests differ from those of a server that nobody configured: what `npm run worlds` sets for the files it runs. */
export interface DatabaseWorld {
  /** Of the database, for each of its sessions. */
  readonly settings?: Readonly<Record<string, string>>
  /** In which everything of a test is made. It alone is on the search path. */
  readonly schema?: string
  /** Services connect as a role of the database's own, which is no superuser. */
  readonly role?: {
    readonly connections: number
    readonly settings: Readonly<Record<string, string>>
  }
}

const VARIABLE = 'SVC_TEST_DATABASE_WORLD'

/** The environment in which tests make their databases like this. */
export function databaseWorldEnv(world: DatabaseWorld): Readonly<Record<string, string>> {
  return { [VARIABLE]: JSON.stringify(world) }
}

/** @returns nothing that differs, unless the environment says so */
export function readDatabaseWorld(): DatabaseWorld {
  return JSON.parse(process.env[VARIABLE] ?? '{}') as DatabaseWorld
}

/** Statements for a database that was just made, as a superuser. */
export function setUpStatements(database: string, { settings, schema }: DatabaseWorld): readonly string[] {
  return [
    ...Object.entries(settings ?? {}).map(
      ([name, value]) => `ALTER DATABASE ${database} SET ${name} TO ${literal(value)}`,
    ),
    ...(schema === undefined
      ? []
      : [
          `CREATE SCHEMA ${identifier(schema)}`,
          // As in `public`, where tests need not say so.
          `GRANT USAGE ON SCHEMA ${identifier(schema)} TO PUBLIC`,
          `ALTER DATABASE ${database} SET search_path TO ${identifier(schema)}`,
        ]),
  ]
}

/** Statements that create the role as which services connect. It has the rights of the owner, and its connection limit holds. */
export function roleStatements(
  role: string,
  { connections, settings }: NonNullable<DatabaseWorld['role']>,
): readonly string[] {
  return [
    `CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${connections} IN ROLE CURRENT_USER`,
    ...Object.entries(settings).map(([name, value]) => `ALTER ROLE ${role} SET ${name} TO ${literal(value)}`),
  ]
}

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
