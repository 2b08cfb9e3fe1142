import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SvcError } from '../../core/index.ts'
import type { ExplainRequest } from './api.ts'

type Flags = Readonly<Record<string, string | boolean>>

const REST = /^(GET|POST|PUT|PATCH|DELETE) +(\/\S*)$/

/**
 * What `svc explain` and `svc cost` are asked about.
 * @param given text, or a file that holds it
 * @throws SvcError SVC_USAGE
 */
export async function readArguments(given: string | undefined, flags: Flags, cwd: string): Promise<ExplainRequest> {
  if (given === undefined) throw usage('say which: a GraphQL document, a file, or "GET /path".')
  const text = (await readFile(resolve(cwd, given), 'utf8').catch(() => given)).trim()
  const variables = parse(flags.variables, '--variables')
  const operationName = typeof flags.operation === 'string' ? flags.operation : null
  const [, method, path] = REST.exec(text) ?? []
  if (method !== undefined && path !== undefined) {
    const body = variables === null ? null : JSON.stringify(variables)
    const headers = body === null ? {} : { 'content-type': 'application/json' }
    return { query: null, variables: null, operationName, rest: { method, path, headers, body }, database: true }
  }
  return { query: text, variables, operationName, rest: null, database: true }
}

/** @throws SvcError SVC_USAGE */
export function parse(value: string | boolean | undefined, flag: string): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'string') return null
  try {
    const parsed: unknown = JSON.parse(value)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // Told below.
  }
  throw usage(`${flag} is a JSON object: '{"id": 1}'.`)
}

export function usage(message: string): SvcError {
  return new SvcError('SVC_USAGE', message)
}
