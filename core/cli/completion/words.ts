import type { Command } from '../command.ts'
import { GLOBAL_OPTIONS } from '../parse-arguments.ts'

/** One flag as a shell sees it. */
export interface FlagWords {
  /** With their dashes: `--port`, `-p`. */
  readonly names: readonly string[]
  readonly takesValue: boolean
  readonly description: string
}

/** One command as a shell sees it. */
export interface CommandWords {
  readonly name: string
  readonly summary: string
  readonly flags: readonly FlagWords[]
  /** What its first argument may be; empty: files. */
  readonly choices: readonly string[]
}

/** What shells complete, from the tables of the commands. */
export function listWords(commands: readonly Command[]): readonly CommandWords[] {
  const rows = commands.map(
    (command): CommandWords => ({
      name: command.name,
      summary: command.summary,
      flags: [...command.options, ...GLOBAL_OPTIONS].map(({ name, aliases = [], short, type, description }) => ({
        names: [...[name, ...aliases].map((one) => `--${one}`), ...(short === undefined ? [] : [`-${short}`])],
        takesValue: type === 'string',
        description,
      })),
      choices: command.arguments[0]?.choices ?? [],
    }),
  )
  const help: CommandWords = {
    name: 'help',
    summary: 'Show the help of a command.',
    flags: [],
    choices: rows.map(({ name }) => name),
  }
  return [...rows, help]
}
