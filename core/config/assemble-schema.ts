import { SvcError } from '../base/errors/svc-error.ts'
import type { JsonSchema, Manifest } from '../contract/manifest.ts'
import { aliasesOf } from './aliases.ts'
import { CORE_SECTIONS } from './core-sections.ts'
import type { KeyPath } from './key-path.ts'

/** A mutable JSON Schema object: the sections of all plugins are added to it. */
export interface SchemaNode {
  [keyword: string]: unknown
  properties?: Record<string, SchemaNode>
}

const ENABLED: JsonSchema = {
  type: 'boolean',
  description: 'Adds the plugin to the list (`true`) or takes it off (`false`). Absent: the preset decides.',
}

/**
 * Assembles the JSON Schema of svc.toml from the sections of core and those that the manifests declare. The section of
 * a plugin also gets the key `enabled`.
 * @throws SvcError SVC_PLUGIN_INVALID when two plugins declare the same key
 */
export function assembleConfigSchema(manifests: readonly Manifest[]): SchemaNode {
  const root = emptySection()
  const owners = new Map<string, string>()
  for (const { path, schema } of CORE_SECTIONS) addSection(root, owners, path, schema, 'core')
  for (const manifest of manifests) {
    if (manifest.config === undefined) continue
    const shared = owners.has(manifest.config)
    const options = manifest.options ?? {}
    const properties = (options.properties ?? {}) as Record<string, JsonSchema>
    const withEnabled =
      shared || Object.hasOwn(properties, 'enabled') ? properties : { enabled: ENABLED, ...properties }
    const schema = { description: manifest.description, ...options, properties: withEnabled }
    addSection(root, owners, manifest.config, schema, `plugin "${manifest.name}"`)
    for (const alias of aliasesOf(manifest)) {
      const { default: _, ...target } = withEnabled[alias.option] ?? {}
      const property = { ...target, deprecated: true, description: `Another name of \`${alias.target}\`.` }
      const section = alias.path.slice(0, -1).join('.')
      const properties = { [alias.path.at(-1) as string]: property }
      addSection(
        root,
        owners,
        section,
        { description: 'Other names of keys.', properties },
        `plugin "${manifest.name}"`,
      )
    }
  }
  return root
}

function emptySection(): SchemaNode {
  return { type: 'object', properties: {}, additionalProperties: false, default: {} }
}

function addSection(
  root: SchemaNode,
  owners: Map<string, string>,
  path: string,
  schema: JsonSchema,
  owner: string,
): void {
  let node = root
  for (const part of path.split('.')) {
    node.properties ??= {}
    node.properties[part] ??= emptySection()
    node = node.properties[part]
    if (!isSection(node)) {
      const message = `The section [${path}] of ${owner} lies at or under the key "${part}", which holds a value.`
      throw new SvcError('SVC_PLUGIN_INVALID', message)
    }
  }
  const { properties, ...keywords }: Record<string, unknown> = schema
  const description = owners.has(path) ? node.description : keywords.description
  if (keywords.$defs !== undefined) keywords.$id = `svc:config/${path}`
  Object.assign(node, keywords, { type: 'object', default: node.default, description })
  if (!owners.has(path)) owners.set(path, owner)
  node.properties ??= {}
  for (const [key, property] of Object.entries((properties ?? {}) as Record<string, SchemaNode>)) {
    const full = `${path}.${key}`
    const taken = owners.get(full)
    if (taken !== undefined || (Object.hasOwn(node.properties, key) && node.properties[key]?.type !== 'object')) {
      const message = `The configuration key ${full} belongs to ${taken ?? 'another plugin'} and is claimed by ${owner} too.`
      throw new SvcError('SVC_PLUGIN_INVALID', message)
    }
    owners.set(full, owner)
    node.properties[key] = structuredClone(property)
  }
}

/**
 * Returns the JSON Schema of the configuration value at a path; `undefined`: the configuration has no such key.
 * @param root JSON Schema of svc.toml
 */
export function schemaAt(root: SchemaNode, path: KeyPath): SchemaNode | undefined {
  let node: SchemaNode | undefined = root
  for (const part of path) {
    if (node === undefined) return undefined
    node = typeof part === 'number' ? (node.items as SchemaNode | undefined) : childOf(node, part)
  }
  return node
}

/**
 * Returns the properties of an object in a JSON Schema. For a choice (`anyOf`, `oneOf`) it merges those of all
 * branches.
 */
export function propertiesOf(node: SchemaNode | undefined): Readonly<Record<string, SchemaNode>> {
  const branches = [...asBranches(node?.anyOf), ...asBranches(node?.oneOf)]
  if (branches.length === 0) return node?.properties ?? {}
  return Object.assign({}, ...branches.map(propertiesOf), node?.properties)
}

function asBranches(branches: unknown): readonly SchemaNode[] {
  return Array.isArray(branches) ? branches : []
}

function childOf(node: SchemaNode, key: string): SchemaNode | undefined {
  const properties = propertiesOf(node)
  if (Object.hasOwn(properties, key)) return properties[key]
  const rest = node.additionalProperties
  return typeof rest === 'object' && rest !== null ? (rest as SchemaNode) : undefined
}

/** A key or section that svc.toml may contain, with its JSON Schema, for documentation and messages. */
export interface KnownKey {
  readonly path: readonly string[]
  readonly schema: SchemaNode
}

/**
 * Lists the keys with values (not sections) that svc.toml may contain, in the order of the JSON Schema.
 * @param path path of `root`, which the paths of the result begin with
 */
export function listKeys(root: SchemaNode, path: readonly string[] = []): KnownKey[] {
  return Object.entries(root.properties ?? {}).flatMap(([key, schema]) =>
    isSection(schema) ? listKeys(schema, [...path, key]) : [{ path: [...path, key], schema }],
  )
}

/**
 * Lists the sections that svc.toml may contain, the outer before the inner ones, in the order of the JSON Schema.
 * @param path path of `root`, which the paths of the result begin with
 */
export function listSections(root: SchemaNode, path: readonly string[] = []): KnownKey[] {
  return Object.entries(root.properties ?? {}).flatMap(([key, schema]) =>
    isSection(schema) ? [{ path: [...path, key], schema }, ...listSections(schema, [...path, key])] : [],
  )
}

export function isSection(schema: SchemaNode): boolean {
  return schema.type === 'object' && schema.properties !== undefined
}
