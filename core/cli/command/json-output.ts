import type { CommandIo, CommandOption } from './command.ts'

/** The flag `--json`, of all commands that print text for people. The output is a single JSON document, for errors too (`main.ts`). */
export const JSON_FLAG: CommandOption = {
  name: 'json',
  type: 'boolean',
  description: 'Print one JSON document; a failure is {"error": {"code", "message"}}.',
}

/** Prints the JSON document. All commands use the same format. */
export function printJson({ stdout }: Pick<CommandIo, 'stdout'>, value: unknown): void {
  stdout(`${JSON.stringify(value, null, 2)}\n`)
}
