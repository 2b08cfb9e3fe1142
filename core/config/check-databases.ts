import { DEFAULT_DATABASE } from '../base/util/database-name.ts'
import type { Config } from '../contract/config.ts'
import type { Fault } from './faults.ts'
import { type KeyPath, printKey } from './key-path.ts'

const NAME = /^[a-z][a-z0-9_]{0,62}$/

/** Value of `project.database_target` by scheme of a database URL. Databases of other plugins have none. */
const TARGETS: Readonly<Record<string, Config['project']['database_target']>> = {
  postgres: 'postgresql',
  postgresql: 'postgresql',
  pglite: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlite: 'sqlite',
  sqlserver: 'sqlserver',
  mssql: 'sqlserver',
}

/**
 * Checks what the JSON Schema cannot check: the names of the databases in `[databases]`, and that
 * `project.database_target` names the kind of database of `database.url`.
 * @param config configuration that the JSON Schema accepts
 * @param placeOf returns the location of a key, for the message
 */
export function checkDatabases(
  { project, database, databases }: Pick<Config, 'project' | 'database' | 'databases'>,
  placeOf: (path: KeyPath) => string,
): Fault[] {
  return [...checkTarget(project.database_target, database.url, placeOf), ...checkNames(databases, placeOf)]
}

function checkTarget(
  target: Config['project']['database_target'],
  url: string | undefined,
  placeOf: (path: KeyPath) => string,
): readonly Fault[] {
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(url ?? '')?.[0].toLowerCase() ?? ''
  const found = TARGETS[scheme]
  if (target === undefined || found === undefined || found === target) return []
  const path = ['project', 'database_target']
  // The URL may contain a password, so that the message has only its scheme.
  const message = `"${target}" is not the kind of database of database.url, which begins with ${scheme}: and is "${found}". Correct the one or the other`
  return [{ key: printKey(path), place: placeOf(path), message }]
}

function checkNames(databases: Config['databases'], placeOf: (path: KeyPath) => string): Fault[] {
  return Object.keys(databases).flatMap((name) => {
    const path = ['databases', name]
    const fault = (message: string) => [{ key: printKey(path), place: placeOf(path), message }]
    if (name === DEFAULT_DATABASE)
      return fault(`"${name}" is the name of the database of [database]. Call it otherwise`)
    if (NAME.test(name)) return []
    return fault(`"${name}" is no name of a database: small letters, digits and "_", a letter first`)
  })
}
