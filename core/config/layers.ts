import { isTable, type KeyPath, printKey, type Table } from './key-path.ts'

/** Origin of a configuration value, highest precedence first. */
type LayerName = 'flag' | 'environment' | 'file' | 'preset' | 'default'

/** Origin of a configuration value: the kind of origin (flag, environment, file, …), and its location for messages. */
export interface KeySource {
  readonly layer: LayerName
  /** Location for messages: `svc.toml:12`, `SVC_SERVER__PORT`, `--port`, `preset standard` or `default`. */
  readonly place: string
}

/** The configuration values of one origin: a preset, svc.toml, the environment or the flags. */
export interface Layer {
  readonly name: LayerName
  readonly values: Table
  readonly placeOf: (path: KeyPath) => string
}

export interface Merged {
  readonly values: Table
  /** Origin of each value and table, by dotted key as {@link printKey} writes it. */
  readonly sources: Map<string, KeySource>
  /**
   * Returns the location of the value at a path, for messages: `svc.toml:12`. For a path without a value, the location
   * of the nearest table around it.
   */
  readonly placeOf: (path: KeyPath) => string
}

/**
 * Merges the values of all origins (defaults, preset, file, environment, flags) into one configuration. Tables are
 * merged key by key; any other value replaces that of an origin with lower precedence.
 * @param layers lowest precedence first
 */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const values: Table = {}
  const owners = new Map<string, { readonly layer: Layer; readonly path: KeyPath }>()
  const merge = (into: Table, layer: Layer, table: Table, parent: KeyPath): void => {
    for (const [key, value] of Object.entries(table)) {
      const path = [...parent, key]
      owners.set(printKey(path), { layer, path })
      if (isTable(value)) merge(subTable(into, key), layer, value, path)
      else define(into, key, structuredClone(value))
    }
  }
  for (const layer of layers) merge(values, layer, layer.values, [])
  const sources = new Map<string, KeySource>()
  for (const [key, { layer, path }] of owners) sources.set(key, { layer: layer.name, place: layer.placeOf(path) })
  const placeOf = (path: KeyPath): string => {
    for (let length = path.length; length > 0; length--) {
      const owner = owners.get(printKey(path.slice(0, length)))
      if (owner !== undefined) return owner.layer.placeOf(path)
    }
    return 'configuration'
  }
  return { values, sources, placeOf }
}

function subTable(table: Table, key: string): Table {
  if (!Object.hasOwn(table, key) || !isTable(table[key])) define(table, key, {})
  return table[key] as Table
}

/** Sets a key as the table's own property, even `__proto__`, so that the validation can reject it. */
function define(table: Table, key: string, value: unknown): void {
  Object.defineProperty(table, key, { value, writable: true, enumerable: true, configurable: true })
}
