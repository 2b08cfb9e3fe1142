import type { ErrorObject } from 'ajv/dist/2020.js'
import { createAjv } from '../util/create-ajv.ts'
import { fitsSchema } from '../util/fits-schema.ts'
import { didYouMean, listNames } from '../util/nearest.ts'
import type { BootFault } from './faults.ts'
import type { JsonSchema, Manifest } from './manifest.ts'

/**
 * Checks the options of a plugin against its manifest and fills in the defaults. An option that the schema does not
 * name is a fault, in nested objects too, unless the schema opens them.
 * @returns a frozen copy, or everything that is wrong
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

/** Objects whose properties are listed take no others. */
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

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child)
    Object.freeze(value)
  }
  return value
}
