import type { Command } from './command.ts'
import { COMMAND_NAMES, type CommandName } from './command-names.ts'

/** Every command and where it is. Loaded when it is called, so that `svc run` reads no compiler. */
const LOADERS = {
  init: async () => (await import('./init.ts')).initCommand,
  compile: async () => (await import('./compile.ts')).compileCommand,
  run: async () => (await import('./run.ts')).runCommand,
  config: async () => (await import('./config.ts')).configCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  tables: async () => (await import('./tables.ts')).tablesCommand,
  plugins: async () => (await import('./plugins.ts')).pluginsCommand,
  completion: async () => (await import('./completion.ts')).createCompletionCommand(loadCommands),
} satisfies Readonly<Record<CommandName, () => Promise<Command>>>

/** @returns `undefined` when there is no such command */
export async function loadCommand(name: string): Promise<Command | undefined> {
  return Object.hasOwn(LOADERS, name) ? LOADERS[name as CommandName]() : undefined
}

/** All commands, in the order of `--help`. */
export async function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(COMMAND_NAMES.map((name) => LOADERS[name]()))
}
