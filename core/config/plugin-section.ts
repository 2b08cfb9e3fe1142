import type { Config } from '../contract/config.ts'
import type { Manifest } from '../contract/manifest.ts'
import { CORE_SECTIONS } from './core-sections.ts'
import { isTable, type KeyPath, printKey, valueAt } from './key-path.ts'
import type { KeySource } from './layers.ts'

/** The configuration with the origin of each key, as `loadConfig` returns it. */
export interface SourcedConfig {
  readonly config: Config
  readonly sources: ReadonlyMap<string, KeySource>
}

/** The values of a plugin's section in the configuration, and where they are set. */
export interface PluginSection {
  /** Dotted path of the section: `server.cors`. `null`: the plugin has no section. */
  readonly path: string | null
  /**
   * Location at which svc.toml, the environment or a flag sets the section: `svc.toml:12`. `null`: none of them sets
   * it.
   */
  readonly writtenAt: string | null
  /** Value of `enabled` that svc.toml, the environment or a flag sets; `null`: none of them sets it. */
  readonly enabled: boolean | null
  /**
   * Value of `enabled` that the preset or the manifest sets; `null`: neither sets it, or {@link enabled} has a value.
   */
  readonly enabledByDefault: boolean | null
  /** The plugin's options: the values of the section, without those of keys that belong to other plugins or to core. */
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Reads the values of a plugin's section from the resolved configuration, without the keys of other plugins in it.
 * @param all manifests of all known plugins, which show to which plugin a key belongs
 */
export function readPluginSection(
  manifest: Manifest,
  all: readonly Manifest[],
  { config, sources }: SourcedConfig,
): PluginSection {
  const { config: path } = manifest
  if (path === undefined) return { path: null, writtenAt: null, enabled: null, enabledByDefault: null, options: {} }
  const keys = path.split('.')
  const value = valueAt(config, keys)
  const section = isTable(value) ? value : {}
  const inner = all.flatMap((other) => (other.config?.startsWith(`${path}.`) ? [other.config] : []))
  if (isShared(manifest, path, all)) {
    const own = Object.keys((manifest.options?.properties as object | undefined) ?? {})
    const options = Object.fromEntries(own.flatMap((key) => (key in section ? [[key, section[key]]] : [])))
    const written = own.map((key) => sources.get(printKey([...keys, key]))).find((source) => source?.layer === 'file')
    return { path, writtenAt: written?.place ?? null, enabled: null, enabledByDefault: null, options }
  }
  // Options that other plugins declare in this section are left out.
  const guests = all.filter((other) => other.config === path && other.name !== manifest.name)
  const theirs = new Set(
    guests.flatMap(({ options }) => Object.keys((options?.properties as object | undefined) ?? {})),
  )
  const options = Object.fromEntries(
    Object.entries(section).filter(([key]) => !inner.includes(`${path}.${key}`) && !theirs.has(key)),
  )
  const enabled = typeof section.enabled === 'boolean' ? section.enabled : null
  const isWritten = enabled !== null && writes(sources.get(printKey([...keys, 'enabled'])))
  return {
    path,
    writtenAt: findWritten(keys, inner, sources),
    enabled: isWritten ? enabled : null,
    enabledByDefault: isWritten ? null : enabled,
    options,
  }
}

/** Is the section shared? A section of core is, and so is one that another plugin names first. */
function isShared(manifest: Manifest, path: string, all: readonly Manifest[]): boolean {
  const owner = all.find(({ config }) => config === path)
  return CORE_SECTIONS.some((section) => section.path === path) || owner?.name !== manifest.name
}

const writes = (source: KeySource | undefined) =>
  source !== undefined && source.layer !== 'preset' && source.layer !== 'default'

function findWritten(path: KeyPath, inner: readonly string[], sources: ReadonlyMap<string, KeySource>): string | null {
  const section = printKey(path)
  const within = (key: string, parent: string) => key === parent || key.startsWith(`${parent}.`)
  const others = inner.map((other) => printKey(other.split('.')))
  let holdsOthers = false
  let own: KeySource | undefined
  for (const [key, source] of sources) {
    if (!within(key, section) || !writes(source)) continue
    if (others.some((other) => within(key, other))) holdsOthers = true
    else if (key !== section) return source.place
    else own = source
  }
  // A section that only contains the section of another plugin does not count as written for this one.
  return own === undefined || holdsOthers ? null : own.place
}
