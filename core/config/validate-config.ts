import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { SvcError } from '../base/errors/svc-error.ts'
import { createAjv } from '../base/util/create-ajv.ts'
import { fitsSchema } from '../base/util/fits-schema.ts'
import { didYouMean, listNames } from '../base/util/nearest.ts'
import type { JsonSchema } from '../contract/manifest.ts'
import { listSections, propertiesOf, type SchemaNode, schemaAt } from './assemble-schema.ts'
import { describeValue, describeWant } from './describe-want.ts'
import { withoutDetailsOfChoices } from './details-of-choices.ts'
import type { Fault } from './faults.ts'
import { isTable, type KeyPath, printKey, type Table, valueAt } from './key-path.ts'

/** Where configuration values are set, for the messages of the validation. */
export interface Origins {
  readonly placeOf: (path: KeyPath) => string
  /** Tests whether the file, the environment, a flag or the preset sets a value in the table at this path. */
  readonly isWritten: (path: KeyPath) => boolean
}

/**
 * Validates the merged configuration and fills in the defaults, in place. A missing required key is a fault only in
 * sections that are set; for enabled plugins, the kernel checks the others.
 * @param schema JSON Schema of svc.toml
 * @returns all faults
 */
export function validateConfig(values: Table, schema: SchemaNode, { placeOf, isWritten }: Origins): Fault[] {
  if (fitsSchema(schema, values)) return []
  const validate = compileSchema(schema)
  if (validate(values)) return []
  const errors = validate.errors ?? []
  return withoutDetailsOfChoices(errors)
    .filter(({ keyword, instancePath }) => keyword !== 'required' || isWritten(readPointer(instancePath, values)))
    .map((error) => toFault(error, values, schema, placeOf))
}

/**
 * Tests a section against its JSON Schema, after filling in its defaults in place.
 * @throws SvcError SVC_PLUGIN_INVALID when `section` is no valid JSON Schema
 */
export function isValid(section: SchemaNode, value: unknown): boolean {
  return fitsSchema(section, value) || compileSchema(section)(value)
}

/**
 * Compiles a JSON Schema to a function of ajv that validates values and fills in defaults. A default of the schema's
 * root has no effect.
 * @param owner name of the plugin with the schema, for the error
 * @throws SvcError SVC_PLUGIN_INVALID when it is no valid JSON Schema
 */
export function compileSchema(schema: JsonSchema, owner = 'the configuration'): ValidateFunction {
  const ajv = createAjv({
    allErrors: true,
    useDefaults: true,
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  })
  // Names a further environment variable for a key, such as `JWT_SECRET`.
  ajv.addKeyword('environment')
  const { default: _, ...root } = schema
  try {
    return ajv.compile(root)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SvcError('SVC_PLUGIN_INVALID', `The options of ${owner} are no valid JSON Schema: ${reason}.`, { cause })
  }
}

function toFault(error: ErrorObject, values: Table, schema: SchemaNode, placeOf: (path: KeyPath) => string): Fault {
  const path = readPointer(error.instancePath, values)
  if (error.keyword === 'additionalProperties') {
    const unknown = [...path, String(error.params.additionalProperty)]
    return { key: printKey(unknown), place: placeOf(unknown), message: unknownKey(unknown, values, schema) }
  }
  if (error.keyword === 'required') {
    const missing = [...path, String(error.params.missingProperty)]
    const message = `${printKey(missing)} is missing; it wants ${describeWant(schemaAt(schema, missing))}`
    return { key: printKey(missing), place: placeOf(path), message }
  }
  const want = describeWant(error.parentSchema as SchemaNode)
  const message = `${printKey(path)} wants ${want}, got ${describeValue(error.data, schemaAt(schema, path), path)}`
  return { key: printKey(path), place: placeOf(path), message }
}

function readPointer(pointer: string, values: Table): KeyPath {
  const path: (string | number)[] = []
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(Array.isArray(valueAt(values, path)) ? Number(key) : key)
  }
  return path
}

function unknownKey(path: KeyPath, values: Table, schema: SchemaNode): string {
  const name = String(path.at(-1))
  const parent = path.slice(0, -1)
  const sections = listSections(schema).map((section) => printKey(section.path))
  const value = valueAt(values, path)
  const isTableLike = isTable(value) || (Array.isArray(value) && value.some(isTable))
  if (printKey(path) === 'queries' && isTable(value) && Object.hasOwn(value, 'defaults'))
    return '[queries.defaults] is not a section. Write [query_defaults]'
  const siblings = Object.keys(propertiesOf(schemaAt(schema, parent)))
  const elsewhere = sections.filter((section) => section.split('.').at(-1) === name || section.endsWith(`.${name}`))
  if (printKey(parent) === 'validation' && didYouMean(name, siblings) === '')
    return `there is no key "${name}" in [validation], which has the limits of documents. Rules for what clients send stand in [svc.validation]`
  if (isTableLike) {
    const hint = elsewhere.length > 0 ? ` Did you mean "${elsewhere[0]}"?` : didYouMean(printKey(path), sections)
    return `there is no section [${printKey(path)}].${hint || ` Sections: ${listNames(sections, 60)}`}`
  }
  const homes = sections.filter((section) => schemaAt(schema, section.split('.'))?.properties?.[name] !== undefined)
  const where = parent.length === 0 ? 'at the top of the file' : `in [${printKey(parent)}]`
  const guess = didYouMean(name, siblings)
  if (guess !== '') return `there is no key "${name}" ${where}.${guess}`
  if (homes.length > 0) return `there is no key "${name}" ${where}; it belongs in [${homes[0]}]`
  return `there is no key "${name}" ${where}. ${parent.length === 0 ? 'Sections' : 'Keys'}: ${listNames(siblings, 60)}`
}
