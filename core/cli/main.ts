import { SvcError } from '../base/errors/svc-error.ts'
import { didYouMean } from '../base/util/nearest.ts'
import { type Command, type CommandIo, EXIT, type ExitCode } from './command.ts'
import { COMMAND_NAMES } from './command-names.ts'
import { loadCommand, loadCommands } from './commands.ts'
import { printJson } from './json-output.ts'
import { readVersion } from './own-package.ts'
import { parseArguments } from './parse-arguments.ts'
import { readPluginCommands } from './plugin-commands.ts'
import { errorAsJson, exitCodeOf, printError } from './print-error.ts'
import { printCommandHelp, printOverview } from './print-help.ts'
import { createProcessIo } from './process-io.ts'

/**
 * Runs one command line (docs/reference/cli.md) and prints its errors.
 * @param argv arguments without node and script: `['run', '--port', '9000']`
 * @returns the exit code; never throws
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
    // Also where the flags themselves cannot be read. A command that has printed its document has said it there.
    if (argv.includes('--json') && !hasPrinted) printJson(io, errorAsJson(error))
    return exitCodeOf(error)
  }
}

async function dispatch(argv: readonly string[], io: CommandIo): Promise<ExitCode> {
  const [first, ...rest] = argv
  if (first === '-V' || first === '--version') return print(io, `${readVersion()}\n`)
  if (first === '-h' || first === '--help' || (first === 'help' && rest.length === 0)) {
    const { commands, problem } = await readPluginCommands([], io)
    return print(io, printOverview(await loadCommands(), commands, problem))
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

/** A project's plugins are looked at only when the command is none of svc itself. */
async function findCommand(name: string, argv: readonly string[], io: CommandIo): Promise<Command> {
  const command = await loadCommand(name)
  if (command !== undefined) return command
  if (name.startsWith('-')) throw noCommand(`no flag ${name} before the command`, name, COMMAND_NAMES, '')
  const { commands, left, problem } = await readPluginCommands(argv, io)
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
