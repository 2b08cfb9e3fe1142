import type { Config } from '../contract/config.ts'
import { DEFAULT_DATABASE } from '../util/database-name.ts'
import type { Fault } from './faults.ts'
import { type KeyPath, printKey } from './key-path.ts'

const NAME = /^[a-z][a-z0-9_]{0,62}$/

/**
 * What the JSON Schema cannot say of `[databases]`.
 * @param config of the right form
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
