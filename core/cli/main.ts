import { SvcError } from '../errors/svc-error.ts'
import { didYouMean } from '../util/nearest.ts'
import { type Command, type CommandIo, EXIT, type ExitCode } from './command.ts'
import { COMMAND_NAMES, loadCommand, loadCommands } from './commands.ts'
import { readVersion } from './own-package.ts'
import { parseArguments } from './parse-arguments.ts'
import { exitCodeOf, printError } from './print-error.ts'
import { printCommandHelp, printOverview } from './print-help.ts'
import { createProcessIo } from './process-io.ts'

/**
 * The command line (behaviours 17).
 * @param argv without node and script: `['run', '--port', '9000']`
 * @returns the exit code; never throws
 */
export async function main(argv: readonly string[], io: CommandIo = createProcessIo()): Promise<ExitCode> {
  try {
    return await dispatch(argv, io)
  } catch (error) {
    io.stderr(printError(error, /^(debug|trace)$/i.test(io.env.SVC_LOG_LEVEL ?? '')))
    return exitCodeOf(error)
  }
}

async function dispatch(argv: readonly string[], io: CommandIo): Promise<ExitCode> {
  const [first, ...rest] = argv
  if (first === '-V' || first === '--version') return print(io, `${readVersion()}\n`)
  if (first === '-h' || first === '--help' || (first === 'help' && rest.length === 0)) {
    return print(io, printOverview(await loadCommands()))
  }
  if (first === 'help') return print(io, printCommandHelp(await findCommand(rest[0] as string)))
  if (first === undefined)
    throw new SvcError('SVC_USAGE', `Name a command: ${COMMAND_NAMES.join(', ')}.\nSee: svc --help`)
  const command = await findCommand(first)
  const args = parseArguments(command, rest)
  if (args.flags.help === true) return print(io, printCommandHelp(command))
  if (args.flags.version === true) return print(io, `${readVersion()}\n`)
  return command.run(args, io)
}

async function findCommand(name: string): Promise<Command> {
  const command = await loadCommand(name)
  if (command !== undefined) return command
  const what = name.startsWith('-') ? `no flag ${name} before the command` : `no command "${name}"`
  const message = `There is ${what}.${didYouMean(name, COMMAND_NAMES)} Commands: ${COMMAND_NAMES.join(', ')}.\nSee: svc --help`
  throw new SvcError('SVC_USAGE', message)
}

function print(io: CommandIo, text: string): ExitCode {
  io.stdout(text)
  return EXIT.ok
}
