import { extname } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean } from '../../base/util/nearest.ts'
import type { AuthoringLanguage } from '../../introspect/print-schema.ts'
import type { CommandOption } from '../command/command.ts'
import { PYTHON_SOURCE } from './python-source.ts'
import type { SourceLanguage } from './source-language.ts'
import { TYPESCRIPT_SOURCE } from './source-pieces.ts'

/** An authoring language, as the commands know it. */
export interface LanguageFacts {
  /** File that a schema begins with. */
  readonly entry: string
  /** Endings of modules in the language. */
  readonly endings: RegExp
  readonly source: SourceLanguage
  /** Beginning of a comment. */
  readonly comment: string
}

/** The languages that svc writes schemas in. */
export const LANGUAGES: Readonly<Record<AuthoringLanguage, LanguageFacts>> = {
  typescript: { entry: 'schema.ts', endings: /^\.[cm]?ts$/, source: TYPESCRIPT_SOURCE, comment: '//' },
  python: { entry: 'schema.py', endings: /^\.py$/, source: PYTHON_SOURCE, comment: '#' },
}

const NAMES = Object.keys(LANGUAGES) as readonly AuthoringLanguage[]

/** The flag `--language`. */
export const LANGUAGE_FLAG: CommandOption = {
  name: 'language',
  type: 'string',
  value: 'LANGUAGE',
  description: `Language of the schema: ${NAMES.join(' or ')}.`,
}

/** Returns the language of a schema module; `null`: svc does not write schemas of this kind. */
export function languageOf(path: string): AuthoringLanguage | null {
  return NAMES.find((name) => LANGUAGES[name].endings.test(extname(path))) ?? null
}

/**
 * Reads `--language`.
 * @param command name of the command, for the error
 * @returns `null`: the flag is absent
 * @throws SvcError SVC_USAGE
 */
export function readLanguage(
  flags: Readonly<Record<string, string | boolean>>,
  command: string,
): AuthoringLanguage | null {
  const given = flags.language
  if (given === undefined) return null
  const found = NAMES.find((name) => name === given)
  if (found !== undefined) return found
  const hint = didYouMean(String(given), NAMES)
  throw new SvcError(
    'SVC_USAGE',
    `--language ${given} is no language of a schema: ${NAMES.join(', ')}.${hint}\nSee: svc ${command} --help`,
  )
}
