import { createRequire } from 'node:module'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'

const require = createRequire(import.meta.url)

/**
 * ajv with its formats. It is read when something is wrong, or has to be read in full, and not by a start: its sixty files are a good part of one.
 */
export function createAjv(options: Options): Ajv2020 {
  const { Ajv2020: Ajv } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const ajv = new Ajv(options)
  const addFormats = require('ajv-formats') as (to: Ajv2020) => void
  addFormats(ajv)
  return ajv
}
