import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PRESETS } from '../../../presets/index.ts'
import { type FlagValue, type LoadedConfig, loadConfig } from '../../config/load-config.ts'
import { type AvailablePlugin, type PluginCatalogue, readPluginCatalogue } from '../../config/plugin-catalog.ts'
import { type PluginList, resolvePluginList } from '../../config/plugin-list.ts'
import type { CommandIo, CommandOption } from '../command/command.ts'

/** A project: the configuration of its svc.toml and its plugins. Nothing is running yet. */
export interface Project extends LoadedConfig {
  readonly list: PluginList
  /** Name of the preset. */
  readonly preset: string
  /** All plugins that are known, enabled or not. */
  readonly available: readonly AvailablePlugin[]
  /** Absolute path of the compiled schema. */
  readonly artifact: string
}

export interface LoadProjectOptions {
  /** svc.toml, its folder, or a compiled schema (`.json`) that replaces the configured one. */
  readonly input?: string | undefined
  /** Flags by name, as typed. Those in {@link PROJECT_FLAGS} are read. */
  readonly flags?: Readonly<Record<string, string | boolean>>
  /** Configuration values that the command itself sets. */
  readonly settings?: readonly FlagValue[]
  /** Path of the compiled schema, relative to the working directory. Overrides `input` and the configured schema. */
  readonly artifact?: string
  /** Treats a missing svc.toml as an empty one. */
  readonly optional?: boolean
  /** Dotted keys that the command does not need: environment variables in their values may be undefined. */
  readonly ignore?: readonly string[]
}

interface ProjectFlag {
  readonly option: CommandOption
  /** Key that the value of the flag sets. */
  readonly key?: string
  /** Keys and values that the presence of the flag sets. */
  readonly sets?: Readonly<Record<string, string>>
}

/** Flags that set keys of the configuration. */
export const PROJECT_FLAGS: Readonly<Record<string, ProjectFlag>> = {
  port: {
    key: 'server.port',
    option: {
      name: 'port',
      short: 'p',
      type: 'string',
      value: 'PORT',
      description: 'Port to listen on (server.port).',
    },
  },
  host: {
    key: 'server.host',
    option: {
      name: 'host',
      aliases: ['bind'],
      type: 'string',
      value: 'ADDRESS',
      description: 'Address to bind (server.host).',
    },
  },
  database: {
    key: 'database.url',
    option: { name: 'database', type: 'string', value: 'URL', description: 'Database URL (database.url).' },
  },
  preset: {
    key: 'plugins.preset',
    option: {
      name: 'preset',
      type: 'string',
      value: 'NAME',
      description: 'minimal, standard or full (plugins.preset).',
    },
  },
  'mcp-stdio': {
    // The client that started this process is the only one.
    sets: { 'svc.mcp.enabled': 'true', 'svc.mcp.transport': 'stdio', 'server.workers': '1' },
    option: {
      name: 'mcp-stdio',
      type: 'boolean',
      description: 'Serve tools for an agent over standard input and output, and nothing over HTTP (plugin mcp).',
    },
  },
}

/**
 * Loads configuration and plugin list.
 * @throws SvcError SVC_CONFIG_NOT_FOUND, SVC_CONFIG_INVALID, SVC_PLUGIN_*, SVC_BOOT_FAILED (contradictions)
 */
export async function loadProject(options: LoadProjectOptions, io: CommandIo): Promise<Project> {
  const input = await readInput(resolve(io.cwd, options.input ?? 'svc.toml'))
  let catalogue: PluginCatalogue | undefined
  const loaded = await loadConfig({
    file: input.file,
    optional: options.optional === true || input.artifact !== undefined,
    cwd: io.cwd,
    env: io.env,
    flags: [...toFlagValues(options.flags ?? {}), ...(options.settings ?? [])],
    ignore: options.ignore ?? [],
    catalog: async (section, baseDir) => {
      catalogue = await readPluginCatalogue({ presets: PRESETS, section, baseDir })
      return catalogue
    },
  })
  const known = catalogue as PluginCatalogue
  const production = io.env.NODE_ENV === 'production'
  const list = resolvePluginList({ catalogue: known, loaded, production })
  const given = options.artifact === undefined ? input.artifact : resolve(io.cwd, options.artifact)
  const artifact = given ?? resolve(loaded.baseDir, loaded.config.svc.output_file)
  return { ...loaded, list, preset: known.preset.name, available: known.available, artifact }
}

async function readInput(path: string): Promise<{ readonly file: string; readonly artifact?: string }> {
  if (path.endsWith('.json')) return { file: join(dirname(path), 'svc.toml'), artifact: path }
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return { file: isFolder ? join(path, 'svc.toml') : path }
}

function toFlagValues(flags: Readonly<Record<string, string | boolean>>): FlagValue[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const known = Object.hasOwn(PROJECT_FLAGS, name) ? PROJECT_FLAGS[name] : undefined
    const flag = `--${name}`
    const sets = Object.entries(known?.sets ?? {}).map(([key, text]) => ({ flag, key, value: text }))
    return known?.key === undefined ? sets : [...sets, { flag, key: known.key, value: String(value) }]
  })
}
