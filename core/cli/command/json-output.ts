import type { CommandIo, CommandOption } from './command.ts'

/** Of every command that prints something for people. Its output is one JSON document, failures too (`main.ts`). */
export const JSON_FLAG: CommandOption = {
  name: 'json',
  type: 'boolean',
  description: 'Print one JSON document; a failure is {"error": {"code", "message"}}.',
}

/** The one form of it. */
export function printJson({ stdout }: Pick<CommandIo, 'stdout'>, value: unknown): void {
  stdout(`${JSON.stringify(value, null, 2)}\n`)
}
