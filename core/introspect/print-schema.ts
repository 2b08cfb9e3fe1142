import type { AuthoredSchema } from '../schema/authored.ts'
import type { PrintedFile, PrintOptions } from './print/plan-files.ts'
import { printTypeScript } from './print/print-typescript.ts'
import { printPython } from './print/python/print-python.ts'

/** Languages that a schema can be printed in. */
export type AuthoringLanguage = 'typescript' | 'python'

const PRINTERS = { typescript: printTypeScript, python: printPython } as const

/**
 * Prints a schema as modules of an authoring language.
 * @throws SvcError SVC_USAGE: the schema has a part that cannot be printed, such as a function of the author
 */
export function printSchema(
  schema: AuthoredSchema,
  language: AuthoringLanguage,
  options: PrintOptions = {},
): readonly PrintedFile[] {
  return PRINTERS[language](schema, options)
}
