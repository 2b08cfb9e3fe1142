import { deepFreeze } from '../base/util/deep-freeze.ts'
import { fitsSchema } from '../base/util/fits-schema.ts'
import type { Config } from '../contract/config.ts'
import { assembleConfigSchema } from './assemble-schema.ts'

/** Returns the configuration of an empty svc.toml: the sections of core with their defaults, deeply frozen. */
export function defaultConfig(): Config {
  const values = {}
  if (!fitsSchema(assembleConfigSchema([]), values))
    throw new Error('A default of the configuration does not fit its own schema.')
  return deepFreeze(values as Config)
}
