import { createRequire } from 'node:module'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'

const require = createRequire(import.meta.url)

/**
 * Creates a JSON Schema validator (ajv) that knows the standard formats. The package is loaded on the first call and
 * not at start, because its sixty files would take a large part of the start-up time.
 */
export function createAjv(options: Options): Ajv2020 {
  const { Ajv2020: Ajv } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const ajv = new Ajv(options)
  const addFormats = require('ajv-formats') as (to: Ajv2020) => void
  addFormats(ajv)
  return ajv
}
