import type { CommandIo, CommandOption } from './command.ts'

/**
 * The flag `--json`, which all commands with text output share. With it a command prints one JSON document, also for an
 * error.
 */
export const JSON_FLAG: CommandOption = {
  name: 'json',
  type: 'boolean',
  description: 'Print one JSON document; a failure is {"error": {"code", "message"}}.',
}

/** Prints the output of a command with `--json` as an indented JSON document to standard output. */
export function printJson({ stdout }: Pick<CommandIo, 'stdout'>, value: unknown): void {
  stdout(`${JSON.stringify(value, null, 2)}\n`)
}
