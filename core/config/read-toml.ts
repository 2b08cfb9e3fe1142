import { readFileSync } from 'node:fs'
import { parse, TomlError } from 'smol-toml'
import { SvcError } from '../base/errors/svc-error.ts'
import type { Table } from './key-path.ts'
import { locateKeys } from './toml-lines.ts'

/** The values of svc.toml, with the line of each key for messages. */
export interface TomlFile {
  readonly values: Table
  /** Line of each key (1-based), by dotted key: `server.port`. */
  readonly lines: ReadonlyMap<string, number>
}

/**
 * Reads a TOML 1.1 file (https://toml.io/en/v1.1.0).
 * @param file absolute path
 * @param shown name of the file in messages
 * @throws SvcError SVC_CONFIG_NOT_FOUND: there is no such file; SVC_CONFIG_INVALID: it is not TOML (with line, column)
 */
export function readToml(file: string, shown: string): TomlFile {
  const text = readText(file, shown)
  try {
    return { values: parse(text) as Table, lines: locateKeys(text) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [first = '', ...excerpt] = error.message.split('\n')
    const reason = unclosedString(text, error) ?? first.replace('Invalid TOML document: ', '')
    const message = `${shown}:${error.line}:${error.column}: this is not valid TOML: ${reason}`
    throw new SvcError('SVC_CONFIG_INVALID', [message, ...excerpt].join('\n').trimEnd(), {
      details: { faults: [{ key: '', place: `${shown}:${error.line}`, message: reason }] },
    })
  }
}

/** Describes a string that is not closed. For the end of the line, the parser reports a control character in the string. */
function unclosedString(text: string, { line, column, message }: TomlError): string | null {
  const rest = (text.split(/\r?\n/)[line - 1] ?? '').slice(column - 1)
  if (message.includes('unfinished string')) {
    const quotes = /^(?:"""|'''|.)/.exec(rest)?.[0] ?? 'a quote'
    return `the string that begins here is never closed; its closing ${quotes} is missing`
  }
  const isAtEnd = message.includes('control characters') && rest === ''
  return isAtEnd ? 'the string is not closed; its closing quote is missing at the end of the line' : null
}

function readText(file: string, shown: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT') {
      const message =
        `There is no configuration file ${shown}. Name the one to use (svc run path/to/svc.toml), ` +
        'or lay out a new project with: svc init NAME'
      throw new SvcError('SVC_CONFIG_NOT_FOUND', message, { cause })
    }
    const reason = code === 'EISDIR' ? 'it is a folder' : (cause as Error).message
    throw new SvcError('SVC_CONFIG_NOT_FOUND', `The configuration file ${shown} cannot be read: ${reason}.`, { cause })
  }
}
