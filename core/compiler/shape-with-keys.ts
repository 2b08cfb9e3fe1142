import { readFileSync } from 'node:fs'
import { SvcError } from '../base/errors/svc-error.ts'
import type { KeyPlace } from '../schema/key-place.ts'
import type { OwnedKeys } from '../schema/plugin-keys.ts'
import type { EnabledPart } from './compile-part.ts'

type Properties = Record<string, unknown>

/** JSON Schema that describes the content of `schema.json`. */
export interface SchemaShape {
  properties: Properties
  readonly $defs: Readonly<Record<string, { properties?: Properties }>>
}

const PLACES: readonly KeyPlace[] = [
  'schema',
  'type',
  'field',
  'interface',
  'union',
  'enum',
  'input',
  'input_field',
  'scalar',
  'query',
  'mutation',
  'subscription',
  'argument',
]

/**
 * Returns the JSON Schema of `schema.json` that svc publishes, with the keys of core and of the given plugins.
 * @throws SvcError SVC_PLUGIN_INVALID for a key that exists already, or an unknown kind of element
 */
export function schemaJsonSchema(owned: readonly OwnedKeys[]): SchemaShape {
  const shape = JSON.parse(readFileSync(new URL('./schema.schema.json', import.meta.url), 'utf8')) as SchemaShape
  for (const { plugin, keys = [] } of owned) {
    const source = `manifest of plugin "${plugin}"`
    for (const { place, after, keys: added } of keys) {
      const holder = holderOf(shape, place, [...PLACES, 'operation'], source)
      for (const key of Object.keys(added)) refuseTaken(shape, place, key, undefined, source)
      const entries = Object.entries(holder.properties)
      const found = entries.findLastIndex(([key]) => [after].flat().includes(key))
      entries.splice(found === -1 ? entries.length : found + 1, 0, ...Object.entries(added))
      holder.properties = Object.fromEntries(entries)
    }
  }
  return shape
}

/**
 * Adds the keys of enabled plugins (`CompilePart.keys`) to the JSON Schema of `schema.json`.
 * @param shape the JSON Schema, which is changed in place and returned
 * @param check throws an error if a key's JSON Schema is invalid
 * @throws SvcError SVC_PLUGIN_INVALID for a key that exists already, or an unknown kind of element
 */
export function shapeWithParts(
  shape: SchemaShape,
  parts: readonly EnabledPart[],
  check: (schema: object) => void,
): SchemaShape {
  const owners = new Map<string, string>()
  for (const { plugin, part } of parts) {
    const source = `compile part of plugin "${plugin}"`
    for (const [place, keys] of Object.entries(part.keys ?? {})) {
      const { properties } = holderOf(shape, place, PLACES, source)
      for (const [key, schema] of Object.entries(keys)) {
        refuseTaken(shape, place, key, owners.get(`${place}.${key}`), source)
        try {
          check(schema)
        } catch (error) {
          throw invalid(`adds the key "${key}" to "${place}" with no JSON Schema: ${(error as Error).message}`, source)
        }
        owners.set(`${place}.${key}`, plugin)
        properties[key] = schema
      }
    }
  }
  return shape
}

/** Returns the JSON Schema of one kind of elements. */
function holderOf(
  shape: SchemaShape,
  place: string,
  places: readonly string[],
  source: string,
): { properties: Properties } {
  const holder = place === 'schema' ? shape : shape.$defs[place]
  if (holder?.properties !== undefined && places.includes(place)) return holder as { properties: Properties }
  throw invalid(`adds keys to "${place}"; elements that take keys: ${places.join(', ')}`, source)
}

/** Rejects a key that exists already. @param owner plugin whose compile part added it; `undefined` for a key of svc */
function refuseTaken(
  { properties, $defs }: SchemaShape,
  place: string,
  key: string,
  owner: string | undefined,
  source: string,
): void {
  if (!/^[a-z][a-z0-9_]*$/.test(key)) throw invalid(`adds the key "${key}" to "${place}"; a key is snake_case`, source)
  const inherited = place === 'query' || place === 'mutation' || place === 'subscription' ? $defs.operation : undefined
  const own = place === 'schema' ? properties : $defs[place]?.properties
  if (!(key in (own ?? {})) && !(key in (inherited?.properties ?? {}))) return
  const whose = owner === undefined ? 'svc' : `plugin "${owner}"`
  throw invalid(`adds the key "${key}" to "${place}", where ${whose} has one of that name`, source)
}

function invalid(what: string, source: string): SvcError {
  return new SvcError('SVC_PLUGIN_INVALID', `The ${source} ${what}.`)
}
