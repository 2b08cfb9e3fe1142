import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseJson, SvcError, writeJson } from '../../core/doors/plugin.ts'
import type { ExplainRequest } from './api.ts'

type Flags = Readonly<Record<string, string | boolean>>

const REST = /^(GET|POST|PUT|PATCH|DELETE) +(\/\S*)$/

/**
 * Reads the request from the arguments of `svc explain` and `svc cost`.
 * @param given text of the request, or path of a file with it
 * @throws SvcError SVC_USAGE
 */
export async function readArguments(given: string | undefined, flags: Flags, cwd: string): Promise<ExplainRequest> {
  if (given === undefined) throw usage('say which: a GraphQL document, a file, or "GET /path".')
  const text = (await readText(given, cwd)).trim()
  const variables = parse(flags.variables, '--variables')
  const operationName = typeof flags.operation === 'string' ? flags.operation : null
  const [, method, path] = REST.exec(text) ?? []
  if (method !== undefined && path !== undefined) {
    const body = variables === null ? null : writeJson(variables)
    const headers = body === null ? {} : { 'content-type': 'application/json' }
    return { query: null, variables: null, operationName, rest: { method, path, headers, body }, database: true }
  }
  return { query: text, variables, operationName, rest: null, database: true }
}

/** Errors that mean that the argument is a text instead of a path. */
const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])
const FILE_NAME = /^[^\s{}()]+\.[A-Za-z]+$/

async function readText(given: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, given), 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!NO_FILE.has(code)) throw usage(`${given} cannot be read: ${code}.`)
    if (FILE_NAME.test(given)) throw usage(`there is no file ${given}.`)
    return given
  }
}

/** Parses the JSON of a flag. @throws SvcError SVC_USAGE */
export function parse(value: string | boolean | undefined, flag: string): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'string') return null
  try {
    const parsed: unknown = parseJson(value)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw usage(`${flag} is a JSON object: '{"id": 1}'.`)
}

export function usage(message: string): SvcError {
  return new SvcError('SVC_USAGE', message)
}
