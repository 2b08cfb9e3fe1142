import { parseArgs } from 'node:util'
import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean } from '../../base/util/nearest.ts'
import type { Command, CommandArgs, CommandOption } from './command.ts'

/** The flags that every command accepts: help and version. */
export const GLOBAL_OPTIONS: readonly CommandOption[] = [
  { name: 'help', short: 'h', type: 'boolean', description: 'Show this help.' },
  { name: 'version', short: 'V', type: 'boolean', description: 'Show the version.' },
]

/**
 * Parses and checks the command-line arguments after the name of a command.
 * @throws SvcError SVC_USAGE: an unknown flag (the message suggests the nearest), a flag without its value, too many or
 * missing arguments
 */
export function parseArguments(command: Command, argv: readonly string[]): CommandArgs {
  const options = [...command.options, ...GLOBAL_OPTIONS]
  const byName = new Map(
    options.flatMap((option) => [option.name, ...(option.aliases ?? [])].map((name) => [name, option])),
  )
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries([...byName].map(([name, option]) => [name, toConfig(name, option)])),
  })
  const positionals: string[] = []
  const flags: Record<string, string | boolean> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = byName.get(token.name)
    if (option === undefined) throw unknownFlag(command, token.rawName, [...byName.keys()])
    const value = readFlag(command, option, token.rawName, token.value)
    const before = option.multiple === true ? flags[option.name] : undefined
    flags[option.name] = before === undefined ? value : `${before},${value}`
  }
  if (flags.help !== true && flags.version !== true) checkPositionals(command, positionals)
  return { positionals, flags }
}

function toConfig(name: string, option: CommandOption): { type: 'string' | 'boolean'; short?: string } {
  const { type, short } = option
  return short !== undefined && name === option.name ? { type, short } : { type }
}

function readFlag(command: Command, option: CommandOption, raw: string, value: string | undefined): string | boolean {
  if (option.type === 'boolean') {
    if (value !== undefined) throw usage(command, `${raw} takes no value, got "${value}".`)
    return true
  }
  // A flag in place of a value means that the value is missing.
  if (value === undefined || (value.startsWith('-') && value.length > 1 && !/^-\d/.test(value))) {
    throw usage(command, `${raw} wants a value: ${raw} ${option.value ?? 'VALUE'}.`)
  }
  return value
}

function unknownFlag(command: Command, raw: string, names: readonly string[]): SvcError {
  const guess = raw.startsWith('--')
    ? didYouMean(
        raw,
        names.map((name) => `--${name}`),
      )
    : ''
  return usage(command, `"svc ${command.name}" has no flag ${raw}.${guess}`)
}

function checkPositionals(command: Command, positionals: readonly string[]): void {
  const missing = command.arguments.slice(positionals.length).find((argument) => argument.required === true)
  if (missing !== undefined) throw usage(command, `"svc ${command.name}" wants ${missing.name}: ${missing.description}`)
  const extra = positionals[command.arguments.length]
  if (extra !== undefined) throw usage(command, `"svc ${command.name}" has no use for the argument "${extra}".`)
  for (const [index, { choices, name, description }] of command.arguments.entries()) {
    const given = positionals[index]
    if (given === undefined || choices === undefined || choices.includes(given)) continue
    throw usage(
      command,
      `"svc ${command.name}" has no ${name} "${given}", but ${description}.${didYouMean(given, choices)}`,
    )
  }
}

function usage(command: Command, message: string): SvcError {
  return new SvcError('SVC_USAGE', `${message}\nSee: svc ${command.name} --help`)
}
