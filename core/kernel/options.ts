import type { ErrorObject } from 'ajv/dist/2020.js'
import { createAjv } from '../base/util/create-ajv.ts'
import { deepFreeze } from '../base/util/deep-freeze.ts'
import { fitsSchema } from '../base/util/fits-schema.ts'
import { didYouMean, listNames } from '../base/util/nearest.ts'
import type { JsonSchema, Manifest } from '../contract/manifest.ts'
import type { BootFault } from './faults.ts'

/**
 * Validates the options of a plugin against the JSON Schema in its manifest and adds defaults. Options that it does not
 * list are faults, also in nested objects, unless the schema sets `additionalProperties`.
 * @returns the options as a frozen copy, and the faults with code SVC_PLUGIN_OPTIONS
 */
export function checkOptions(
  manifest: Manifest,
  options: unknown,
): { readonly value: unknown; readonly faults: readonly BootFault[] } {
  const value = structuredClone(options ?? {})
  const schema = withEnabled(manifest.options ?? {})
  if (fitsSchema(schema, value)) return { value: deepFreeze(value), faults: [] }
  const validate = createAjv({ allErrors: true, useDefaults: true, strict: false, verbose: true }).compile(schema)
  if (validate(value)) return { value: deepFreeze(value), faults: [] }
  const faults = (validate.errors ?? []).map((error) => ({
    code: 'SVC_PLUGIN_OPTIONS',
    plugin: manifest.name,
    message: `Options of plugin "${manifest.name}": ${explain(error)}`,
  }))
  return { value, faults }
}

function withEnabled(schema: JsonSchema): JsonSchema {
  const properties = { enabled: { type: 'boolean' }, ...(schema.properties as object | undefined) }
  return close({ ...schema, type: 'object', properties }) as JsonSchema
}

/** Adds `additionalProperties: false` to every object schema that lists its properties. */
function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close)
  if (typeof node !== 'object' || node === null) return node
  const closed = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value)]))
  const isListed = closed.type === 'object' && typeof closed.properties === 'object'
  return isListed ? { additionalProperties: false, ...closed } : closed
}

function explain({ instancePath, keyword, params, message, parentSchema }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.')
  const inside = place === '' ? '' : ` in \`${place}\``
  if (keyword === 'additionalProperties') {
    const unknown = String(params.additionalProperty)
    const known = Object.keys((parentSchema?.properties as object | undefined) ?? {})
    return `unknown option \`${unknown}\`${inside}.${didYouMean(unknown, known)} Known: ${listNames(known)}.`
  }
  if (keyword === 'required') return `\`${String(params.missingProperty)}\` is required${inside}.`
  if (keyword === 'enum') return `\`${place}\` must be one of ${listNames(params.allowedValues as string[])}.`
  return `${place === '' ? 'they' : `\`${place}\``} ${message}.`
}
