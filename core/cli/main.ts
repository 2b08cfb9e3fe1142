import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SvcError } from '../base/errors/svc-error.ts'
import { readVersion } from '../base/packages/own-package.ts'
import { didYouMean } from '../base/util/nearest.ts'
import { type Command, type CommandIo, EXIT, type ExitCode } from './command/command.ts'
import { COMMAND_NAMES, type CommandName } from './command/command-names.ts'
import { printJson } from './command/json-output.ts'
import { parseArguments } from './command/parse-arguments.ts'
import { errorAsJson, exitCodeOf, printError } from './command/print-error.ts'
import { printCommandHelp, printOverview } from './command/print-help.ts'
import type { PluginCommands } from './plugins/plugin-commands.ts'

/**
 * Runs one command line (docs/reference/cli.md). It prints errors to standard error and never throws.
 * @param argv arguments without node and script: `['run', '--port', '9000']`
 * @returns the exit code for the process
 */
export async function main(argv: readonly string[], io: CommandIo = createProcessIo()): Promise<ExitCode> {
  let hasPrinted = false
  const stdout = (text: string): void => {
    hasPrinted = true
    io.stdout(text)
  }
  try {
    return await dispatch(argv, { ...io, stdout })
  } catch (error) {
    io.stderr(printError(error, /^(debug|trace)$/i.test(io.env.SVC_LOG_LEVEL ?? '')))
    // Applies also when the flags cannot be parsed. A command that has printed its document has reported the error there.
    if (argv.includes('--json') && !hasPrinted) printJson(io, errorAsJson(error))
    return exitCodeOf(error)
  }
}

async function dispatch(argv: readonly string[], io: CommandIo): Promise<ExitCode> {
  const [first, ...rest] = argv
  if (first === '-V' || first === '--version') return print(io, `${readVersion()}\n`)
  if (first === '-h' || first === '--help' || (first === 'help' && rest.length === 0)) {
    if (!existsSync(join(io.cwd, 'svc.toml'))) return print(io, printOverview(null))
    const { commands, problem } = await readPlugins([], io)
    return print(io, printOverview(commands, problem))
  }
  if (first === 'help') return print(io, printCommandHelp(await findCommand(rest[0] as string, rest, io)))
  if (first === undefined)
    throw new SvcError('SVC_USAGE', `Name a command: ${COMMAND_NAMES.join(', ')}.\nSee: svc --help`)
  const command = await findCommand(first, rest, io)
  const args = parseArguments(command, rest)
  if (args.flags.help === true) return print(io, printCommandHelp(command))
  if (args.flags.version === true) return print(io, `${readVersion()}\n`)
  return command.run(args, io)
}

/** Finds a command. The plugins of the project are read only if svc itself has no such command. */
async function findCommand(name: string, argv: readonly string[], io: CommandIo): Promise<Command> {
  const command = await loadCommand(name)
  if (command !== undefined) return command
  if (name.startsWith('-')) throw noCommand(`no flag ${name} before the command`, name, COMMAND_NAMES, '')
  const { commands, left, problem } = await readPlugins(argv, io)
  const added = commands.find((one) => one.name === name)
  if (added !== undefined) return added
  const names = [...COMMAND_NAMES, ...commands.map((one) => one.name)]
  const known = left.get(name)
  if (known !== undefined) throw new SvcError('SVC_USAGE', `There is no command "${name}". ${known}\nSee: svc --help`)
  const unknown =
    problem === null ? '' : `\nCommands of plugins are not known, because the project cannot be read: ${problem}`
  throw noCommand(`no command "${name}"`, name, names, unknown)
}

function noCommand(what: string, name: string, names: readonly string[], more: string): SvcError {
  const message = `There is ${what}.${didYouMean(name, names)} Commands: ${names.join(', ')}.${more}\nSee: svc --help`
  return new SvcError('SVC_USAGE', message)
}

function print(io: CommandIo, text: string): ExitCode {
  io.stdout(text)
  return EXIT.ok
}

/** The real process around a command. */
function createProcessIo(): CommandIo {
  let stop: AbortController | null = null
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreGoneReader)
  return {
    isProcess: true,
    cwd: process.cwd(),
    env: process.env,
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    stopSignal() {
      if (stop === null) {
        stop = new AbortController()
        for (const signal of ['SIGINT', 'SIGTERM'] as const)
          process.on(signal, () => onStop(stop as AbortController, signal))
      }
      return stop.signal
    },
    onReload(listener) {
      // Windows has no SIGUSR1: Node accepts the listener and never calls it.
      process.on('SIGUSR1', listener)
      return () => process.off('SIGUSR1', listener)
    },
    ...(process.stdin.isTTY === true && process.stdout.isTTY === true ? { onKey: readKeys } : {}),
    onFault(listener) {
      // Node raises a rejection that no code handled as an uncaught exception.
      process.on('uncaughtException', listener)
      return () => process.off('uncaughtException', listener)
    },
  }
}

/**
 * After `svc openapi | head` nothing reads the rest of the output. The command ends as if it had written it, and a
 * service goes on.
 */
function ignoreGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** Calls `listener` with each pressed key. Ctrl+C, which is no signal in raw mode, becomes SIGINT. */
function readKeys(listener: (key: string) => void): () => void {
  const { stdin } = process
  const onData = (text: Buffer): void => {
    for (const key of text.toString('utf8')) {
      if (key === '\u0003') process.kill(process.pid, 'SIGINT')
      else listener(key)
    }
  }
  const restore = (): void => {
    stdin.off('data', onData)
    stdin.setRawMode(false)
    stdin.pause()
    process.off('exit', restore)
  }
  stdin.setRawMode(true)
  stdin.on('data', onData)
  stdin.resume()
  // A second signal, or a fault, ends the process without another step of the command.
  process.on('exit', restore)
  return restore
}

/** The second signal ends the process at once, with the exit code of a killed process. */
function onStop(stop: AbortController, signal: 'SIGINT' | 'SIGTERM'): void {
  if (stop.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
  stop.abort(signal)
}

/** Loads each command at its first use, so that `svc run` does not load the compiler. */
const LOADERS = {
  serve: async () => (await import('./serve/serve.ts')).serveCommand,
  init: async () => (await import('./init/init.ts')).initCommand,
  introspect: async () => (await import('./introspect/introspect.ts')).introspectCommand,
  compile: async () => (await import('./compile/compile.ts')).compileCommand,
  dev: async () => (await import('./dev/dev.ts')).devCommand,
  run: async () => (await import('./run/run.ts')).runCommand,
  advise: async () => (await import('./advise/advise.ts')).adviseCommand,
  diff: async () => (await import('./diff/diff.ts')).diffCommand,
  generate: async () => (await import('./generate/generate.ts')).generateCommand,
  config: async () => (await import('./project/config.ts')).configCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  db: async () => (await import('./db/db.ts')).dbCommand,
  tables: async () => (await import('./database/tables.ts')).tablesCommand,
  plugin: async () => (await import('./plugins/plugin.ts')).pluginCommand,
  plugins: async () => (await import('./plugins/plugins.ts')).pluginsCommand,
  completion: async () => (await import('./completion/completion.ts')).createCompletionCommand(loadCommands),
} satisfies Readonly<Record<CommandName, () => Promise<Command>>>

/** @returns `undefined` for an unknown command */
async function loadCommand(name: string): Promise<Command | undefined> {
  return Object.hasOwn(LOADERS, name) ? LOADERS[name as CommandName]() : undefined
}

/** Reads the commands of the plugins of the project. Its imports load the configuration and all manifests. */
async function readPlugins(argv: readonly string[], io: CommandIo): Promise<PluginCommands> {
  return (await import('./plugins/plugin-commands.ts')).readPluginCommands(argv, io)
}

/** Imports svc's built-in commands, in the order of `svc --help`. */
export async function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(COMMAND_NAMES.map((name) => LOADERS[name]()))
}
