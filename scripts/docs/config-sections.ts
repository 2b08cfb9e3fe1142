import { assembleConfigSchema, listSections, type SchemaNode } from '../../core/config/assemble-schema.ts'
import { entriesOf } from '../../core/config/plugin-catalog.ts'
import type { Manifest } from '../../core/contract/manifest.ts'
import { PRESETS } from '../../presets/index.ts'

/** A section of svc.toml with its keys, ready to be printed. */
export interface SectionDoc {
  readonly name: string
  readonly description: string
  /** Plugins that read it; empty for core's. */
  readonly plugins: readonly string[]
  readonly keys: readonly KeyDoc[]
}

export interface KeyDoc {
  readonly name: string
  readonly schema: SchemaNode
}

/** All manifests of all presets. */
export function listManifests(): readonly Manifest[] {
  const byName = new Map(PRESETS.flatMap(entriesOf).map(({ manifest }) => [manifest.name, manifest]))
  return [...byName.values()]
}

/** The sections that have keys, in the order of the schema. */
export function listSectionDocs(): readonly SectionDoc[] {
  const manifests = listManifests()
  return listSections(assembleConfigSchema(manifests)).flatMap(({ path, schema }) => {
    const name = path.join('.')
    const keys = Object.entries(schema.properties ?? {}).flatMap(([key, node]) =>
      node.type === 'object' && node.properties !== undefined ? [] : [{ name: key, schema: node }],
    )
    const plugins = manifests.filter(({ config }) => config === name).map((manifest) => manifest.name)
    // Keys of the author: the description defines them.
    const isOpen = schema.additionalProperties === true
    const of = (schema.additionalProperties as SchemaNode | undefined)?.properties
    // Sections of the operator's own, all with the same keys.
    const inner = Object.entries(of ?? {}).map(([key, node]) => ({ name: key, schema: node }))
    const shown = inner.length === 0 ? name : `${name}.<name>`
    const all = [...keys, ...inner]
    return all.length === 0 && !isOpen
      ? []
      : [{ name: shown, description: String(schema.description ?? ''), plugins, keys: all }]
  })
}
