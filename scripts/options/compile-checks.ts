import { WARNINGS } from '../../core/compiler/ground/messages.ts'
import { listFaults } from '../docs/compile-messages-page.ts'
import type { Chapter } from './option.ts'

const prefixed = (prefix: string, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [`${prefix}.${id}`, text]))

/** Errors and warnings of `svc compile`, from the tables of the compiler. */
const ERRORS: Chapter = { title: 'Errors of `svc compile`', proof: 'any', options: prefixed('error', listFaults()) }

const WARNED: Chapter = { title: 'Warnings of `svc compile`', proof: 'any', options: prefixed('warning', WARNINGS) }

const REPORT: Chapter = {
  title: 'What `svc compile` says',
  proof: 'any',
  options: {
    'compile.places': 'File, line and column of every message',
    'compile.counts': 'Counts of types, inputs, queries and mutations',
    'compile.exit-codes': 'Exit codes: 0, 1, 2, 3',
    'compile.relay-key': 'A relay type’s view has `pk_{entity}`',
    'compile.columns': 'Declared fields against columns and their types',
    'compile.functions': 'Declared arguments and results against functions',
    'compile.rule-keys': 'What a key of `[svc.validation]` means: input, `Type.field`, `<type>_<field>`, field',
    'compile.two-styles': 'Decorators and plain functions, options in camelCase: one `schema.json`',
    'compile.every-option': 'No option is lost between schema.json and the artifact',
    'compile.authoring-options': 'Every key of schema.json has an option in TypeScript, and the other way round',
  },
}

export const COMPILE_CHECKS = [ERRORS, WARNED, REPORT]
