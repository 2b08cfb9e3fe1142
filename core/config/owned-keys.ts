import type { Manifest } from '../contract/manifest.ts'
import type { OwnedKeys } from '../schema/plugin-keys.ts'

/**
 * Returns the keys of schema.json that the manifests declare, with their plugins.
 * @param manifests may name a plugin several times
 */
export function ownedKeysOf(manifests: readonly Manifest[]): readonly OwnedKeys[] {
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]))
  return [...byName.values()].flatMap(({ name, schemaKeys }) =>
    schemaKeys === undefined ? [] : [{ ...schemaKeys, plugin: name }],
  )
}
