import { resolve } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { ListedPlugin } from '../../config/plugin-list.ts'
import type { CommandDefinition } from '../../contract/manifest.ts'
import { bootFailed } from '../../kernel/faults.ts'
import { checkOptions } from '../../kernel/options.ts'
import { loadSchema } from '../../service/load-schema.ts'
import { createLog } from '../../service/signals/log.ts'
import {
  type Command,
  type CommandArgs,
  type CommandIo,
  type CommandOption,
  EXIT,
  type ExitCode,
} from '../command/command.ts'
import { COMMAND_NAMES } from '../command/command-names.ts'
import { JSON_FLAG } from '../command/json-output.ts'
import { loadProject, type Project } from '../project/load-project.ts'
import type { CommandRunner } from './command-runner.ts'

/** The flag `--config` of all commands of plugins. */
const CONFIG: CommandOption = {
  name: 'config',
  short: 'c',
  type: 'string',
  value: 'FILE',
  description: 'svc.toml or its folder. Default: svc.toml',
}

const TAKEN: readonly string[] = [...COMMAND_NAMES, 'help']

/** The commands that the plugins of the current project add to the CLI. */
export interface PluginCommands {
  readonly commands: readonly Command[]
  /** By name of a command whose plugin is not enabled: a sentence that says how to enable the plugin. */
  readonly left: ReadonlyMap<string, string>
  /** Why the project could not be loaded, so that its plugins' commands are unknown; `null`: they are known. */
  readonly problem: string | null
}

/**
 * Reads the commands of the project's enabled plugins from their manifests. The code of a command is loaded only when
 * it runs.
 * @param argv arguments after the name of the command; `--config` in it names the project
 * @throws SvcError SVC_COMMAND_INVALID: a plugin adds a command with a name that is taken, or with an invalid
 * definition
 */
export async function readPluginCommands(argv: readonly string[], io: CommandIo): Promise<PluginCommands> {
  const input = configOf(argv)
  let project: Project
  try {
    project = await loadProject({ input, optional: input === undefined, ignore: ['database.url'] }, io)
  } catch (error) {
    return { commands: [], left: new Map(), problem: error instanceof Error ? error.message : String(error) }
  }
  const { listed, left } = project.list
  return {
    commands: listed.flatMap((plugin) =>
      (plugin.manifest.commands ?? []).map((definition) => toCommand(plugin, definition, input)),
    ),
    left: new Map(
      left.flatMap(({ name, howToEnable, commands = [] }) =>
        commands.map((command) => [command, `It is one of plugin "${name}". To have it: ${howToEnable}.`] as const),
      ),
    ),
    problem: null,
  }
}

/**
 * Converts a command in a plugin's manifest to the form of built-in commands, for help and docs. Adds the flags
 * `--config`, and `--json` if the command supports it.
 */
export function describeCommand({
  options = [],
  arguments: positionals = [],
  json,
  ...definition
}: CommandDefinition): Omit<Command, 'run'> {
  return { ...definition, arguments: positionals, options: [...options, ...(json ? [JSON_FLAG] : []), CONFIG] }
}

function toCommand(plugin: ListedPlugin, definition: CommandDefinition, input: string | undefined): Command {
  const { name } = plugin.manifest
  const fault = (why: string) =>
    new SvcError('SVC_COMMAND_INVALID', `Plugin "${name}" adds the command "${definition.name}", ${why}.`)
  if (!/^[a-z][a-z0-9-]*$/.test(definition.name)) throw fault('and a command is lower case, digits and "-"')
  if (TAKEN.includes(definition.name)) throw fault('which is one of svc itself')
  if (definition.options?.some((option) => option.name === 'config' || option.short === 'c') === true) {
    throw fault('with a flag -c or --config of its own, which every command of a plugin has already')
  }
  if (definition.json && definition.options?.some((option) => option.name === 'json') === true) {
    throw fault('with a flag --json of its own beside "json: true", which adds it')
  }
  return { ...describeCommand(definition), run: (args, io) => runCommand(plugin, definition, input, args, io) }
}

async function runCommand(
  { manifest, options, loadModule }: ListedPlugin,
  { module }: CommandDefinition,
  input: string | undefined,
  args: CommandArgs,
  io: CommandIo,
): Promise<ExitCode> {
  const runner = (await loadModule(module)).default
  if (typeof runner !== 'function') {
    const message = `"${module}" of plugin "${manifest.name}" runs no command. Export \`defineCommandRunner(…)\` as the default.`
    throw new SvcError('SVC_COMMAND_INVALID', message)
  }
  const { value, faults } = checkOptions(manifest, options)
  if (faults.length > 0) throw bootFailed(faults)
  // Loads the project again with all settings of a boot. The help needs no database.
  const project = await loadProject({ input, optional: input === undefined }, io)
  const { config, baseDir, artifact } = project
  const booted: { close(): Promise<void> }[] = []
  try {
    const code = await (runner as CommandRunner)(args, {
      io,
      config,
      options: value,
      baseDir,
      loadSchema: (file) => loadSchema(file === undefined ? artifact : resolve(io.cwd, file)),
      async credentials() {
        const { bootForListing } = await import('../project/boot-for-listing.ts')
        const log = createLog({ env: io.env, write: (line) => io.stderr(line), isTerminal: io.isTerminal })
        const kernel = await bootForListing(project, await loadSchema(artifact), log)
        booted.push(kernel)
        return kernel.credentials
      },
      async database() {
        const { openForCommand } = await import('../database/open-for-command.ts')
        const database = await openForCommand(project, io)
        booted.push(database)
        return database
      },
      async boot() {
        const { bootProject } = await import('../run/boot-project.ts')
        const service = await bootProject(project, io)
        booted.push(service)
        const { app } = service
        return { process: app.kernel.process, provided: (key) => app.kernel.provided(key), inject: app.inject }
      },
    })
    return code ?? EXIT.ok
  } finally {
    for (const service of booted) await service.close()
  }
}

/** Returns the value of `--config`, before the flags of the command are known. */
function configOf(argv: readonly string[]): string | undefined {
  for (const [index, argument] of argv.entries()) {
    if (argument === '--config' || argument === '-c') return argv[index + 1]
    if (argument.startsWith('--config=')) return argument.slice('--config='.length)
  }
  return undefined
}
