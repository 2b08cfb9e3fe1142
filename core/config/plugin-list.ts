import { didYouMean, listNames } from '../base/util/nearest.ts'
import { type BootFault, bootFailed } from '../kernel/faults.ts'
import type { PluginInstance } from '../kernel/kernel-options.ts'
import type { KnownPlugin } from '../kernel/order.ts'
import { checkDrivers } from './check-drivers.ts'
import { type AvailablePlugin, entriesOf, type PluginCatalogue } from './plugin-catalog.ts'
import { type PluginSection, readPluginSection, type SourcedConfig } from './plugin-section.ts'

/** A plugin that will run, with its options. Its code is not loaded yet. */
export interface ListedPlugin extends AvailablePlugin {
  readonly options: Readonly<Record<string, unknown>>
  /**
   * Entry of the configuration that adds the plugin: `preset standard`, `enable`, `section [rest]`, `use ./audit.ts`.
   */
  readonly source: string
}

/** A known plugin that does not run, with the reason. */
export interface LeftPlugin extends KnownPlugin {
  readonly why: string
  /** Names of the commands `svc NAME` that the plugin would add if it ran. */
  readonly commands?: readonly string[]
  /** URL schemes of the databases that the plugin's driver would open: `['postgres', 'postgresql']`. */
  readonly databaseSchemes?: readonly string[]
}

export interface PluginList {
  readonly listed: readonly ListedPlugin[]
  /** Known plugins that do not run, for `svc plugins` and for messages about missing plugins. */
  readonly left: readonly LeftPlugin[]
}

export interface PluginListOptions {
  readonly catalogue: PluginCatalogue
  readonly loaded: SourcedConfig
  /** `true` if `NODE_ENV` is `production`: plugins for development only are then left out. */
  readonly production: boolean
}

/**
 * Decides which plugins run: those of the preset, of `enable`, of `use`, and of sections with `enabled = true`, without
 * those of `disable` and of sections with `enabled = false`. No code of a plugin is loaded.
 * @throws SvcError SVC_BOOT_FAILED with every unknown name, contradiction and missing database driver
 */
export function resolvePluginList({ catalogue, loaded, production }: PluginListOptions): PluginList {
  const { section, preset, available, manifests } = catalogue
  const inPreset = new Set(entriesOf(preset).map(({ manifest }) => manifest.name))
  const faults = checkNames(catalogue)
  const listed: ListedPlugin[] = []
  const left: LeftPlugin[] = []
  for (const plugin of available) {
    const own = readPluginSection(plugin.manifest, manifests, loaded)
    const { name } = plugin.manifest
    const facts: Facts = {
      plugin,
      own,
      preset: inPreset.has(name) ? preset.name : null,
      enable: section.enable.includes(name),
      disable: section.disable.includes(name),
      production,
    }
    const verdict = decide(facts)
    faults.push(...findContradictions(facts, verdict))
    if (verdict.source === null) {
      const commands = plugin.manifest.commands?.map((command) => command.name)
      const { databaseSchemes } = plugin.manifest
      const more = {
        ...(commands === undefined ? {} : { commands }),
        ...(databaseSchemes === undefined ? {} : { databaseSchemes }),
      }
      left.push({ name, why: verdict.why, howToEnable: howToEnable(facts), ...more })
    } else listed.push({ ...plugin, options: optionsOf(plugin, own), source: verdict.source })
  }
  faults.push(...checkDrivers(listed, left, loaded))
  if (faults.length > 0) throw bootFailed(faults)
  return { listed, left }
}

/**
 * Imports the code of the plugins that will run.
 * @throws SvcError SVC_PLUGIN_INVALID: a module cannot be imported, or its default export is no plugin
 */
export async function loadPlugins(listed: readonly ListedPlugin[]): Promise<readonly PluginInstance[]> {
  return Promise.all(listed.map(async ({ load, options, source }) => ({ plugin: await load(), options, source })))
}

interface Facts {
  readonly plugin: AvailablePlugin
  readonly own: PluginSection
  /** The configured preset, if it contains the plugin. */
  readonly preset: string | null
  readonly enable: boolean
  readonly disable: boolean
  readonly production: boolean
}

type Verdict =
  | { readonly source: string; readonly why: '' }
  | { readonly source: null; readonly why: string; readonly quiet: boolean }

const on = (source: string): Verdict => ({ source, why: '' })
const off = (why: string, quiet = false): Verdict => ({ source: null, why, quiet })

/** Decides whether the plugin is in the list. `quiet`: its section may be present although the plugin is not enabled. */
function decide({ plugin, own, preset, enable, disable, production }: Facts): Verdict {
  if (disable) return off('`disable` under [plugins]')
  if (own.enabled === false) return off(`enabled = false in [${own.path}]`, true)
  if (plugin.use !== null) return on(plugin.use.name)
  if (enable) return on('enable')
  if (own.enabled === true && preset === null) return on(`section [${own.path}]`)
  if (preset === null) return off('not in the preset')
  if (own.enabled === true) return on(`preset ${preset}`)
  if (plugin.developmentOnly && production) return off('for development only, and NODE_ENV is production', true)
  if (own.enabledByDefault === false) return off('off by default; it needs settings of its own')
  return on(`preset ${preset}`)
}

function findContradictions({ plugin, own, enable, disable }: Facts, verdict: Verdict): readonly BootFault[] {
  const { name } = plugin.manifest
  const contradiction = (message: string) => [{ code: 'SVC_PLUGIN_CONTRADICTION', plugin: name, message }]
  if (enable && disable)
    return contradiction(`Plugin "${name}" stands in both \`enable\` and \`disable\` of [plugins].`)
  if (enable && own.enabled === false) {
    return contradiction(`Plugin "${name}" is in \`enable\` of [plugins] and [${own.path}] says enabled = false.`)
  }
  if (disable && own.enabled === true) {
    return contradiction(`Plugin "${name}" is in \`disable\` of [plugins] and [${own.path}] says enabled = true.`)
  }
  if (own.writtenAt !== null && plugin.use !== null && Object.keys(plugin.use.options).length > 0) {
    return contradiction(`Plugin "${name}" has options in [[plugins.use]] and in [${own.path}]; keep one place.`)
  }
  if (verdict.source !== null || own.writtenAt === null || verdict.quiet) return []
  const remedy = disable ? howToEnable({ plugin, own, disable }) : 'write enabled = true in it'
  return contradiction(
    `The section [${own.path}] (${own.writtenAt}) is for plugin "${name}", which is not in the list: ${verdict.why}. ` +
      `To run it, ${remedy}; else take the section out.`,
  )
}

/** Checks that every name in `enable` and `disable` exists. */
function checkNames({ section, available }: PluginCatalogue): BootFault[] {
  const names = available.map(({ manifest }) => manifest.name)
  return (['enable', 'disable'] as const).flatMap((list) =>
    section[list]
      .filter((name) => !names.includes(name))
      .map((name) => ({
        code: 'SVC_PLUGIN_UNKNOWN',
        plugin: null,
        message: `\`${list}\` under [plugins] names "${name}", which does not exist.${didYouMean(name, names)} Plugins: ${listNames(names, 60)}.`,
      })),
  )
}

function howToEnable({ plugin, own, disable }: Pick<Facts, 'plugin' | 'own' | 'disable'>): string {
  const { name } = plugin.manifest
  if (disable) return `take "${name}" out of \`disable\` under [plugins]`
  if (own.enabled === false) return `write enabled = true in [${own.path}]`
  const [smallest] = plugin.presets
  const line = `write enable = ["${name}"] under [plugins] in svc.toml`
  return smallest === undefined ? line : `${line} (preset "${smallest}" has it)`
}

function optionsOf(plugin: AvailablePlugin, own: PluginSection): Readonly<Record<string, unknown>> {
  return plugin.use !== null && Object.keys(plugin.use.options).length > 0 ? plugin.use.options : own.options
}
