import { dirname, relative, resolve } from 'node:path'
import { deepFreeze } from '../base/util/deep-freeze.ts'
import type { Config } from '../contract/config.ts'
import type { Manifest } from '../contract/manifest.ts'
import type { MaybePromise } from '../contract/stages.ts'
import { type Applied, applyAliases } from './aliases.ts'
import { assembleConfigSchema, type SchemaNode, schemaAt } from './assemble-schema.ts'
import { checkDatabases } from './check-databases.ts'
import { checkSessionVariables } from './check-session-variables.ts'
import { coerceText } from './coerce-text.ts'
import type { PluginsSection } from './core-sections.ts'
import { readEnvironment } from './environment.ts'
import { type Fault, throwFaults } from './faults.ts'
import { type Environment, interpolate, listReferences } from './interpolate.ts'
import { isTable, type KeyPath, printKey, setAt, type Table } from './key-path.ts'
import { type KeySource, type Layer, mergeLayers } from './layers.ts'
import { readToml, type TomlFile } from './read-toml.ts'
import { compileSchema, isValid, type Origins, validateConfig } from './validate-config.ts'

/** A command-line flag that sets a configuration key, with its value as text. */
export interface FlagValue {
  /** The flag as the user writes it: `--port`. */
  readonly flag: string
  /** Dotted configuration key that the flag sets: `server.port`. */
  readonly key: string
  readonly value: string
}

/** Manifests and defaults for the configuration. */
interface PluginCatalog {
  /** Manifests of all known plugins, enabled or not, since all sections are checked. */
  readonly manifests: readonly Manifest[]
  /** Configuration that the preset sets, nested like svc.toml. */
  readonly presetDefaults?: Readonly<Record<string, unknown>> | undefined
}

export interface LoadConfigOptions {
  /** Path of svc.toml, absolute or relative to `cwd`. */
  readonly file: string
  /** `true`: a missing svc.toml counts as an empty one. Default: it is an error. */
  readonly optional?: boolean
  readonly cwd?: string
  readonly env?: Environment
  readonly flags?: readonly FlagValue[]
  /**
   * Returns the manifests of all known plugins, which declare the other sections, and the defaults of the preset.
   * @param plugins the section `[plugins]`, which is read first
   * @param baseDir absolute folder of svc.toml, from which packages and paths are resolved
   */
  readonly catalog: (plugins: PluginsSection, baseDir: string) => MaybePromise<PluginCatalog>
  /**
   * Dotted keys whose values the command does not need. Such a key is dropped when a variable `${VAR}` in its value is
   * missing, instead of an error.
   */
  readonly ignore?: readonly string[]
}

/** The result of {@link loadConfig}: the merged and validated configuration, with the origin of each value. */
export interface LoadedConfig {
  /**
   * The configuration, nested like svc.toml, with all defaults, deeply frozen. It contains secrets in plain text: never
   * log it.
   */
  readonly config: Config
  /** Origin of each value, and of each section that is set, by dotted key: `server.port`. */
  readonly sources: ReadonlyMap<string, KeySource>
  /** Absolute path of svc.toml. */
  readonly file: string
  /** Absolute folder of svc.toml. Relative paths in the configuration start from it. */
  readonly baseDir: string
  /** JSON Schema that the configuration was validated against: the sections of core and of all known plugins. */
  readonly schema: SchemaNode
}

/**
 * Reads, merges and validates the configuration. Precedence: flag > environment > svc.toml > preset > default
 * (docs/reference/config.md).
 * @throws SvcError SVC_CONFIG_NOT_FOUND: there is no svc.toml; SVC_CONFIG_INVALID: it has faults, all of which the
 * message lists; errors of `catalog` are thrown unchanged
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const { cwd = process.cwd(), env = process.env } = options
  const file = resolve(cwd, options.file)
  const baseDir = dirname(file)
  const written = dropMissing(readFile(file, cwd, options.optional === true), options.ignore ?? [], env)
  const catalog = await options.catalog(readPlugins(written, env, options.flags ?? []), baseDir)
  const schema = assembleConfigSchema(catalog.manifests)
  const { values, sources, placeOf, faults, copied } = resolveLayers(written, env, options.flags ?? [], schema, catalog)
  const isWritten = (path: KeyPath) => sources.has(printKey(upToIndex(path)))
  const found = checkValues(values, schema, { placeOf, isWritten }, catalog.manifests)
  // A fault of a value that was copied from an alias is reported once, under the alias.
  throwFaults([...faults, ...found.filter(({ key }) => !copied.has(key.replace(/\[.*$/, '')))])
  noteDefaults(values, [], sources)
  return Object.freeze({ config: deepFreeze(values as unknown as Config), sources, file, baseDir, schema })
}

/** Validates the values. A schema that cannot be compiled is reported with the plugin that declares it. */
function checkValues(
  values: Table,
  schema: SchemaNode,
  origins: Origins,
  manifests: readonly Manifest[],
): readonly Fault[] {
  try {
    const faults = validateConfig(values, schema, origins)
    if (faults.length > 0) return faults
    const config = values as unknown as Config
    return [...checkSessionVariables(config, origins.placeOf), ...checkDatabases(config, origins.placeOf)]
  } catch (error) {
    for (const { name, options } of manifests) if (options !== undefined) compileSchema(options, `plugin "${name}"`)
    throw error
  }
}

interface Written extends TomlFile {
  readonly shown: string
}

function readFile(file: string, cwd: string, optional: boolean): Written {
  const near = relative(cwd, file)
  const shown = near.startsWith('..') ? file : near
  try {
    return { ...readToml(file, shown), shown }
  } catch (error) {
    if (optional && (error as { code?: string }).code === 'SVC_CONFIG_NOT_FOUND') {
      return { values: {}, lines: new Map(), shown }
    }
    throw error
  }
}

function dropMissing(written: Written, keys: readonly string[], env: Environment): Written {
  for (const key of keys) {
    const path = key.split('.')
    let table: unknown = written.values
    for (const part of path.slice(0, -1)) table = isTable(table) ? table[part] : undefined
    const last = path.at(-1) as string
    if (isTable(table) && needsMissing(table[last], env)) delete table[last]
  }
  return written
}

function needsMissing(value: unknown, env: Environment): boolean {
  return (
    typeof value === 'string' && [...value.matchAll(/\$\{(\w+)\}/g)].some(([, name = '']) => env[name] === undefined)
  )
}

/** Reads the `[plugins]` section before the manifests are known. An invalid one counts as empty: the full check reports it. */
function readPlugins(written: Written, env: Environment, flags: readonly FlagValue[]): PluginsSection {
  const core = assembleConfigSchema([])
  const { values } = resolveLayers(written, env, flags, core, { manifests: [] })
  const section = core.properties?.plugins as SchemaNode
  const candidate = values.plugins ?? {}
  if (isValid(section, candidate)) return candidate as unknown as PluginsSection
  const empty = {}
  isValid(section, empty)
  return empty as PluginsSection
}

interface Resolved {
  readonly values: Table
  readonly sources: Map<string, KeySource>
  readonly placeOf: (path: KeyPath) => string
  readonly faults: readonly Fault[]
  readonly copied: Applied['copied']
}

function resolveLayers(
  written: Written,
  env: Environment,
  flags: readonly FlagValue[],
  schema: SchemaNode,
  catalog: PluginCatalog,
): Resolved {
  const environment = readEnvironment(env, schema, listReferences(written.values))
  const preset: Layer = { name: 'preset', values: { ...catalog.presetDefaults }, placeOf: () => 'preset' }
  const layers = [preset, fileLayer(written), environment.layer, flagLayer(flags, schema)]
  const { values, sources, placeOf } = mergeLayers(layers)
  const applies = (path: KeyPath): boolean => layerOf(sources, path) === 'file'
  const missing = interpolate(values, { env, schema, placeOf, applies })
  const { faults: doubled, copied } = applyAliases(catalog.manifests, values, sources)
  return { values, sources, placeOf, faults: [...environment.faults, ...missing, ...doubled], copied }
}

/** Returns the path of the array that contains a value, since an array has one source; the path itself if no array contains it. */
function upToIndex(path: KeyPath): KeyPath {
  const index = path.findIndex((part) => typeof part === 'number')
  return index === -1 ? path : path.slice(0, index)
}

function layerOf(sources: ReadonlyMap<string, KeySource>, path: KeyPath): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const source = sources.get(printKey(path.slice(0, length)))
    if (source !== undefined) return source.layer
  }
  return undefined
}

function fileLayer({ values, lines, shown }: Written): Layer {
  const placeOf = (path: KeyPath): string => {
    for (let length = path.length; length > 0; length--) {
      const line = lines.get(printKey(path.slice(0, length)))
      if (line !== undefined) return `${shown}:${line}`
    }
    return shown
  }
  return { name: 'file', values, placeOf }
}

function flagLayer(flags: readonly FlagValue[], schema: SchemaNode): Layer {
  const values: Table = {}
  const names = new Map<string, string>()
  for (const { flag, key, value } of flags) {
    const path = key.split('.')
    setAt(values, path, coerceText(value, schemaAt(schema, path)))
    names.set(key, flag)
  }
  return { name: 'flag', values, placeOf: (path) => names.get(printKey(path)) ?? 'command line' }
}

function noteDefaults(table: Table, path: KeyPath, sources: Map<string, KeySource>): void {
  for (const [key, value] of Object.entries(table)) {
    const at = [...path, key]
    if (isTable(value)) noteDefaults(value, at, sources)
    else if (!sources.has(printKey(at))) sources.set(printKey(at), { layer: 'default', place: 'default' })
  }
}
