import type { AuthoredSchema } from '../../schema/authored.ts'
import { COLLECTIONS } from '../../schema/collections.ts'
import type { OwnedKeys } from '../../schema/plugin-keys.ts'
import type { Report } from '../ground/report.ts'
import { normaliseElement, renameKeys } from './normalise-element.ts'
import { isObject, type Raw, withoutNulls } from './raw.ts'

/** Older names of collections. */
const TOP_LEVEL_ALIASES = {
  scalars: 'custom_scalars',
  custom_types: 'custom_scalars',
  inputs: 'input_types',
  hierarchies_config: 'hierarchies',
}

/**
 * Converts the parsed content of a `schema.json` to the form that its JSON Schema describes
 * (docs/reference/schema-json.md): older spellings become current ones, keys with `null` are removed, and a map of
 * named objects becomes a list. Unknown keys stay, so that the JSON Schema rejects them.
 * @param owned keys of `schema.json` that plugins define
 * @returns `null`: the input is no JSON object, which is reported as a fault
 */
export function normaliseSchema(input: unknown, report: Report, owned: readonly OwnedKeys[]): AuthoredSchema | null {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) {
    report.fault('shape', 'The schema is not a JSON object with "types", "queries" and "mutations".')
    return null
  }
  const schema: Raw = withoutNulls(input as Raw)
  renameKeys(schema, TOP_LEVEL_ALIASES, 'The schema', report)
  if (schema.naming_convention === 'camelCase') delete schema.naming_convention
  for (const collection of COLLECTIONS) {
    if (schema[collection] === undefined) continue
    const list = asList(schema[collection])
    if (list === null) continue
    schema[collection] = list.map((element) =>
      isObject(element) ? normaliseElement(collection, withoutNulls(element), report, owned) : element,
    )
  }
  if (schema.hierarchies !== undefined) schema.hierarchies = asList(schema.hierarchies) ?? schema.hierarchies
  return schema as unknown as AuthoredSchema
}

/** Returns a list of named objects. A map keyed by name is accepted in its place. */
function asList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return null
  return Object.entries(value).map(([name, element]) => (isObject(element) ? { name, ...element } : element))
}
