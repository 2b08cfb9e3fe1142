import { SvcError } from '../base/errors/svc-error.ts'
import { printImportPlace, readImportFault } from '../base/util/import-fault.ts'
import { type ImportModule, type ModuleExports, startModuleRun } from '../base/util/import-module.ts'
import { didYouMean, listNames } from '../base/util/nearest.ts'
import type { Manifest } from '../contract/manifest.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { PluginsSection } from './core-sections.ts'
import { isTable, mergeTables, type Table } from './key-path.ts'
import type { Preset, PresetEntry } from './preset.ts'
import { resolveBeside, resolvePackage, resolvePluginPath } from './resolve-package.ts'
import { toPlugin } from './to-plugin.ts'

/** A plugin of a preset or of `[[plugins.use]]` in svc.toml, whether enabled or not. */
export interface AvailablePlugin {
  readonly manifest: Manifest
  /** Imports the plugin's code. */
  readonly load: () => Promise<Plugin<never>>
  /**
   * Imports a further file of the plugin that its manifest names, such as `./compile`.
   * @param module name in the manifest
   * @throws SvcError SVC_PLUGIN_INVALID when the plugin has no such file
   */
  readonly loadModule: (module: string) => Promise<ModuleExports>
  /** Names of the presets that contain the plugin, the smallest preset first. Empty for a third-party plugin. */
  readonly presets: readonly string[]
  readonly developmentOnly: boolean
  /** Name and options of the plugin's entry in `[[plugins.use]]`. `null`: it is one of svc's own plugins. */
  readonly use: { readonly name: string; readonly options: Readonly<Record<string, unknown>> } | null
}

/**
 * The plugins that svc knows: those of all presets, and the third-party plugins of `[[plugins.use]]`. The caller passes
 * it to `loadConfig` as the result of `catalog`.
 */
export interface PluginCatalogue {
  readonly section: PluginsSection
  readonly preset: Preset
  readonly available: readonly AvailablePlugin[]
  readonly manifests: readonly Manifest[]
  /** Configuration defaults of the selected preset and the presets that it extends, merged and nested like svc.toml. */
  readonly presetDefaults: Table
}

/** The input of {@link readPluginCatalogue}. */
export interface CatalogueSources {
  /** All presets of svc, the smallest first. Together they contain every plugin of svc. */
  readonly presets: readonly Preset[]
  readonly section: PluginsSection
  /** Absolute folder of svc.toml, from which packages and paths of plugins are resolved. */
  readonly baseDir: string
}

/**
 * Collects all plugins that svc knows. It reads the manifests of the plugins in the presets without loading their code,
 * and imports the third-party plugins of `[[plugins.use]]`. It does not search folders for plugins.
 * @throws SvcError SVC_PLUGIN_UNKNOWN (preset, package, path), SVC_PLUGIN_INVALID (the imported value is no plugin)
 */
export async function readPluginCatalogue({ presets, section, baseDir }: CatalogueSources): Promise<PluginCatalogue> {
  const preset = presets.find(({ name }) => name === section.preset)
  if (preset === undefined) {
    const names = presets.map(({ name }) => name)
    const message = `There is no preset "${section.preset}".${didYouMean(section.preset, names)} Presets: ${listNames(names)}.`
    throw new SvcError('SVC_PLUGIN_UNKNOWN', message)
  }
  const own = new Map<string, AvailablePlugin>()
  for (const one of presets) {
    for (const entry of entriesOf(one)) {
      const { name } = entry.manifest
      own.set(name, { ...fromEntry(entry), presets: [...(own.get(name)?.presets ?? []), one.name] })
    }
  }
  // One run for all plugins, so that plugins which import the same module share its instance.
  const importModule = startModuleRun()
  const used = await Promise.all(section.use.map((entry) => fromUse(entry, baseDir, importModule)))
  const available = [...own.values(), ...used]
  const manifests = available.map(({ manifest }) => manifest)
  return { section, preset, available, manifests, presetDefaults: defaultsOf(preset) }
}

/** Returns the plugins of a preset. Those of the preset that it extends come first. */
export function entriesOf(preset: Preset): readonly PresetEntry[] {
  return [...(preset.extends === undefined ? [] : entriesOf(preset.extends)), ...preset.plugins]
}

function fromEntry({ manifest, load, modules = {}, developmentOnly }: PresetEntry): Omit<AvailablePlugin, 'presets'> {
  return {
    manifest,
    load: async () => toPlugin((await load()).default, `plugin "${manifest.name}"`),
    async loadModule(module) {
      const importIt = modules[module]
      if (importIt !== undefined) return importIt()
      throw new SvcError('SVC_PLUGIN_INVALID', `The preset has no "${module}" of plugin "${manifest.name}".`)
    },
    developmentOnly: developmentOnly === true,
    use: null,
  }
}

async function fromUse(
  entry: PluginsSection['use'][number],
  baseDir: string,
  importModule: ImportModule,
): Promise<AvailablePlugin> {
  const { package: packageName, path = '', options } = entry
  const name = `use ${packageName ?? path}`
  const file = packageName === undefined ? resolvePluginPath(path, baseDir) : resolvePackage(packageName, baseDir)
  const importPart = async (from: string, what: string): Promise<ModuleExports> => {
    try {
      return await importModule(from)
    } catch (cause) {
      const fault = readImportFault(cause)
      const plain = cause instanceof Error ? cause.message : String(cause)
      const reason = fault === null ? plain : `${printImportPlace(fault)}: ${fault.message}`
      const message = `${what} of [[plugins.use]] \`${packageName ?? path}\` cannot be loaded: ${reason}`
      throw new SvcError('SVC_PLUGIN_INVALID', message, fault === null ? { cause } : {})
    }
  }
  const loaded = await importPart(file, 'The plugin')
  const plugin = toPlugin(unwrap(loaded.default), name)
  return {
    manifest: plugin.manifest,
    load: async () => plugin,
    loadModule: async (module) => importPart(resolveBeside(file, module, name), `"${module}"`),
    presets: [],
    developmentOnly: false,
    use: { name, options },
  }
}

/** Unwraps the default export of a CommonJS module that was compiled from ESM, which is nested one level deeper. */
function unwrap(value: unknown): unknown {
  return isTable(value) && value.__esModule === true ? value.default : value
}

function defaultsOf(preset: Preset): Table {
  return mergeTables(preset.extends === undefined ? {} : defaultsOf(preset.extends), preset.defaults ?? {})
}
