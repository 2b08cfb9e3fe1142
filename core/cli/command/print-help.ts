import type { Command, CommandArgument, CommandOption } from './command.ts'
import { COMMAND_NAMES } from './command-names.ts'
import { COMMAND_SUMMARIES } from './command-summaries.ts'
import { GLOBAL_OPTIONS } from './parse-arguments.ts'

/**
 * Returns the text of `svc --help`: the list of commands and how to use them.
 * @param added commands of the project's plugins; `null`: there is no project
 * @param problem reason why the plugins' commands cannot be read; `null`: they can
 */
export function printOverview(added: readonly Command[] | null = [], problem: string | null = null): string {
  return [
    'svc turns a relational database into a GraphQL API.',
    '',
    'Usage: svc COMMAND [ARGUMENTS] [FLAGS]',
    '',
    'Commands:',
    ...table(COMMAND_NAMES.map((name) => COMMAND_SUMMARIES[name])),
    '',
    ...(added === null ? ['In a project, its plugins add commands.', ''] : []),
    ...(added === null || added.length === 0
      ? []
      : ['Commands of plugins:', ...table(added.map((command) => [usageLine(command), command.summary])), '']),
    ...(problem === null
      ? []
      : [`Commands of plugins are not known, because the project cannot be read: ${problem}`, '']),
    'Flags:',
    ...table(GLOBAL_OPTIONS.map(toRow)),
    '',
    'Exit codes: 0 done, 1 the schema does not validate or compile, 2 configuration or command line, 3 no database.',
    'Help of one command: svc COMMAND --help',
    '',
  ].join('\n')
}

/** Returns the text of `svc COMMAND --help`: usage, description, flags and examples. */
export function printCommandHelp(command: Command): string {
  const lines = [command.summary]
  if (command.description !== undefined) lines.push('', command.description)
  lines.push('', `Usage: svc ${usageLine(command)}${command.options.length > 0 ? ' [FLAGS]' : ''}`)
  if (command.arguments.length > 0) {
    lines.push('', 'Arguments:', ...table(command.arguments.map(({ name, description }) => [name, description])))
  }
  lines.push('', 'Flags:', ...table([...command.options, ...GLOBAL_OPTIONS].map(toRow)))
  if (command.examples !== undefined) lines.push('', 'Examples:', ...command.examples.map((example) => `  ${example}`))
  return `${lines.join('\n')}\n`
}

/** Formats the usage of a command: its name and positional arguments, such as `compile [INPUT]`. */
export function usageLine(command: Pick<Command, 'name' | 'arguments'>): string {
  return [command.name, ...command.arguments.map(showArgument)].join(' ')
}

/** Formats a flag for help: `-p, --port PORT`. */
export function showOption(option: CommandOption): string {
  const names = [option.name, ...(option.aliases ?? [])].map((name) => `--${name}`)
  const short = option.short === undefined ? [] : [`-${option.short}`]
  return [...short, ...names].join(', ') + (option.type === 'string' ? ` ${option.value ?? 'VALUE'}` : '')
}

function showArgument({ name, required }: CommandArgument): string {
  return required === true ? name : `[${name}]`
}

function toRow(option: CommandOption): readonly [string, string] {
  return [showOption(option), option.description]
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
