import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseJson, SvcError, writeJson } from '../../core/doors/plugin.ts'
import type { ExplainRequest } from './api.ts'

type Flags = Readonly<Record<string, string | boolean>>

const REST = /^(GET|POST|PUT|PATCH|DELETE) +(\/\S*)$/

/**
 * Reads the request to explain from the arguments of `svc explain` or `svc cost`.
 * @param given a GraphQL document, a REST request such as `GET /path`, or the path of a file with either
 * @param cwd folder for relative paths
 * @throws SvcError SVC_USAGE for missing or invalid arguments
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

/**
 * Parses the JSON object in the value of a command-line flag.
 * @param flag the flag with its dashes, for the error message
 * @returns `null` when the flag is absent
 * @throws SvcError SVC_USAGE for any other value
 */
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
