import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PRESETS } from '../../../presets/index.ts'
import { type FlagValue, type LoadedConfig, loadConfig } from '../../config/load-config.ts'
import { type AvailablePlugin, type PluginCatalogue, readPluginCatalogue } from '../../config/plugin-catalog.ts'
import { type PluginList, resolvePluginList } from '../../config/plugin-list.ts'
import type { CommandIo, CommandOption } from '../command/command.ts'

/** A project as its svc.toml describes it: configuration and list of plugins. Nothing is running yet. */
export interface Project extends LoadedConfig {
  readonly list: PluginList
  /** Name of the project's preset (built-in list of plugins): `minimal`, `standard` or `full`. */
  readonly preset: string
  /** All plugins that svc finds, including those that the project does not enable. */
  readonly available: readonly AvailablePlugin[]
  /** Absolute path of the compiled schema. */
  readonly artifact: string
}

export interface LoadProjectOptions {
  /** Path of svc.toml, of its folder, or of a compiled schema (`.json`) to use in place of the configured one. */
  readonly input?: string | undefined
  /** Flags of the command line, by name. Only those in {@link PROJECT_FLAGS} change the configuration. */
  readonly flags?: Readonly<Record<string, string | boolean>>
  /** Configuration values that the command sets itself. They override svc.toml. */
  readonly settings?: readonly FlagValue[]
  /** Path of the compiled schema, relative to the working directory. Overrides `input` and the configured schema. */
  readonly artifact?: string
  /** `true`: a missing svc.toml is no error, and the default configuration is used. */
  readonly optional?: boolean
  /**
   * Configuration keys that the command does not use, such as `database.url`. Their values may refer to environment
   * variables that are not set.
   */
  readonly ignore?: readonly string[]
}

interface ProjectFlag {
  readonly option: CommandOption
  /** Key that the value of the flag sets. */
  readonly key?: string
  /** Keys and values that the presence of the flag sets. */
  readonly sets?: Readonly<Record<string, string>>
}

/**
 * Flags of `svc run` and other commands that override configuration keys, such as `--port` for `server.port`, by name.
 */
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
 * Reads a project's configuration (svc.toml, environment, flags) and determines its list of plugins. Starts nothing.
 * @throws SvcError SVC_CONFIG_NOT_FOUND: there is no svc.toml; SVC_CONFIG_INVALID: a value is invalid;
 * SVC_PLUGIN_UNKNOWN, SVC_PLUGIN_INVALID: a plugin cannot be found or used; SVC_BOOT_FAILED: the plugin list
 * contradicts itself
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
