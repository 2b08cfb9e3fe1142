import { SvcError } from '../base/errors/svc-error.ts'
import type { KeyPlace } from '../schema/key-place.ts'
import type { EnabledPart } from './compile-part.ts'

type Properties = Record<string, unknown>

interface Shape {
  readonly properties: Properties
  readonly $defs: Readonly<Record<string, { readonly properties?: Properties }>>
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
 * The JSON Schema of schema.json with the keys of plugins in it.
 * @param shape core's own; is changed
 * @param check throws what is wrong with the JSON Schema of a key
 * @throws SvcError SVC_PLUGIN_INVALID for a key that is taken, or a place that has none
 */
export function shapeWithParts(shape: object, parts: readonly EnabledPart[], check: (schema: object) => void): object {
  const { properties, $defs } = shape as Shape
  const owners = new Map<string, string>()
  for (const { plugin, part } of parts) {
    for (const [place, keys] of Object.entries(part.keys ?? {})) {
      const target = place === 'schema' ? properties : $defs[place]?.properties
      if (target === undefined || !PLACES.includes(place as KeyPlace)) {
        throw invalid(`adds keys to "${place}"; elements that take keys: ${PLACES.join(', ')}`, plugin)
      }
      const inherited =
        place === 'query' || place === 'mutation' || place === 'subscription' ? $defs.operation : undefined
      for (const [key, schema] of Object.entries(keys)) {
        if (!/^[a-z][a-z0-9_]*$/.test(key))
          throw invalid(`adds the key "${key}" to "${place}"; a key is snake_case`, plugin)
        if (key in target || key in (inherited?.properties ?? {})) {
          const owner = owners.get(`${place}.${key}`)
          const whose = owner === undefined ? 'svc' : `plugin "${owner}"`
          throw invalid(`adds the key "${key}" to "${place}", where ${whose} has one of that name`, plugin)
        }
        try {
          check(schema)
        } catch (error) {
          throw invalid(`adds the key "${key}" to "${place}" with no JSON Schema: ${(error as Error).message}`, plugin)
        }
        owners.set(`${place}.${key}`, plugin)
        target[key] = schema
      }
    }
  }
  return shape
}

function invalid(what: string, plugin: string): SvcError {
  return new SvcError('SVC_PLUGIN_INVALID', `The compile part of plugin "${plugin}" ${what}.`)
}
