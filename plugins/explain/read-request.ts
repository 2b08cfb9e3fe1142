import { SvcError, writeJson } from '../../core/doors/plugin.ts'
import type { RestRequest } from '../rest/api.ts'
import type { ExplainRequest } from './api.ts'

type Members = Readonly<Record<string, unknown>>

const NAMES = ['query', 'variables', 'operationName', 'rest', 'as', 'database']

/**
 * The body of a request to the explain endpoint: a GraphQL request with `query`, or `{ "rest": { "method", "path",
 * "headers", "body" } }`.
 */
export interface ExplainBody extends ExplainRequest {
  /** Caller for whom an operator wants the explanation: `{ sub, scopes, roles, claims }`, not yet validated. */
  readonly as: unknown
}

/**
 * Validates the body of a request to the explain endpoint.
 * @param body parsed JSON
 * @throws SvcError VALIDATION_ERROR
 */
export function readRequest(body: unknown): ExplainBody {
  const given = membersOf(body, 'the body', NAMES)
  const { query = null, variables = null, operationName = null, rest = null, as = null, database = true } = given
  if ((query === null) === (rest === null))
    throw wrong('The body has "query", a GraphQL document, or "rest", a request of REST.')
  if (query !== null && typeof query !== 'string') throw wrong('query is a text.')
  if (operationName !== null && typeof operationName !== 'string') throw wrong('operationName is a text.')
  if (typeof database !== 'boolean') throw wrong('database is true or false.')
  return {
    query,
    variables: variables === null ? null : membersOf(variables, 'variables'),
    operationName,
    rest: rest === null ? null : readRest(rest),
    as,
    database,
  }
}

function readRest(value: unknown): RestRequest {
  const {
    method = 'GET',
    path,
    headers = {},
    body = null,
  } = membersOf(value, 'rest', ['method', 'path', 'headers', 'body'])
  if (typeof path !== 'string' || !path.startsWith('/')) throw wrong('rest.path begins with "/".')
  if (typeof method !== 'string') throw wrong('rest.method is a text.')
  const named = Object.entries(membersOf(headers, 'rest.headers'))
  if (named.some(([, text]) => typeof text !== 'string')) throw wrong('rest.headers are texts.')
  return {
    method: method.toUpperCase(),
    path,
    headers: Object.fromEntries(named.map(([name, text]) => [name.toLowerCase(), text as string])),
    body: body === null ? null : writeJson(body),
  }
}

/** @param known names of the allowed members; absent: any */
function membersOf(value: unknown, what: string, known?: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${what} has to be an object.`)
  const unknown = known === undefined ? undefined : Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw wrong(`${what} has no member "${unknown}"; it may have: ${known?.join(', ')}.`)
  return value as Members
}

function wrong(message: string): SvcError {
  return new SvcError('VALIDATION_ERROR', message)
}
