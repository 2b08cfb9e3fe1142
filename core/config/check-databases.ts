import { DEFAULT_DATABASE } from '../base/util/database-name.ts'
import type { Config } from '../contract/config.ts'
import type { Fault } from './faults.ts'
import { type KeyPath, printKey } from './key-path.ts'

const NAME = /^[a-z][a-z0-9_]{0,62}$/

/**
 * Checks the names of the databases in `[databases]`, which the JSON Schema cannot check.
 * @param config configuration that the JSON Schema accepts
 * @param placeOf returns the location of a key, for the message
 */
export function checkDatabases({ databases }: Pick<Config, 'databases'>, placeOf: (path: KeyPath) => string): Fault[] {
  return Object.keys(databases).flatMap((name) => {
    const path = ['databases', name]
    const fault = (message: string) => [{ key: printKey(path), place: placeOf(path), message }]
    if (name === DEFAULT_DATABASE)
      return fault(`"${name}" is the name of the database of [database]. Call it otherwise`)
    if (NAME.test(name)) return []
    return fault(`"${name}" is no name of a database: small letters, digits and "_", a letter first`)
  })
}
