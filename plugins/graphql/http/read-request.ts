import { isUtf8 } from 'node:buffer'
import { ExactNumber, jsonText } from '../../../core/doors/front.ts'
import { didYouMean, type HttpExchange, listNames, SvcError } from '../../../core/doors/plugin.ts'

/** The parameters of a GraphQL request, over any transport. */
export interface GraphQLRequest {
  readonly query: string | null
  /** Variable values by name. A number that a double cannot represent exactly is an `ExactNumber`. */
  readonly variables: Readonly<Record<string, unknown>> | null
  readonly operationName: string | null
  readonly extensions: Readonly<Record<string, unknown>> | null
  /** Further members of the request: `id`, `documentId` or `doc_id` name a stored document. */
  readonly other: Readonly<Record<string, unknown>>
  /**
   * Called when the document has passed validation and all `graphql:prepared` hooks, before the operation runs. A hook
   * that sets it must also call the previous function.
   */
  readonly accepted?: () => void
}

const FIELDS = ['query', 'variables', 'operationName', 'extensions'] as const
/**
 * Parameters of clients with stored documents. Plugins read them from `request.other`. Without such a plugin, the request is served by its
 * `query`, if it has one.
 */
const DOCUMENT_IDS = new Set(['id', 'documentId', 'doc_id'])
const NO_OTHER: Readonly<Record<string, unknown>> = Object.freeze({})

function bad(message: string): SvcError {
  return new SvcError('REQUEST_ERROR', message)
}

/** Parses the JSON body of a POST request and validates it as one GraphQL request. @throws SvcError REQUEST_ERROR */
export function readBodyRequest(body: Buffer): GraphQLRequest {
  return readMember(readBody(body))
}

/**
 * Validates a parsed JSON value as one GraphQL request: a whole body, or an element of a batch.
 * @throws SvcError REQUEST_ERROR
 */
export function readMember(value: unknown): GraphQLRequest {
  if (Array.isArray(value)) throw bad('Batches are not supported: send one JSON object per request.')
  if (typeof value !== 'object' || value === null) throw bad('The body must be a JSON object with "query".')
  return toRequest(value as Record<string, unknown>)
}

/**
 * Parses a request body as JSON in UTF-8. Numbers that a double cannot represent exactly become `ExactNumber`.
 * @throws SvcError REQUEST_ERROR
 */
export function readBody(body: Buffer): unknown {
  if (body.length === 0) throw bad('The request has no body: send a JSON object with "query".')
  if (!isUtf8(body)) throw bad('The body is not valid UTF-8.')
  try {
    return jsonText.parse(body.toString('utf8'), true)
  } catch (cause) {
    throw new SvcError('REQUEST_ERROR', `The body is not valid JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Reads a GraphQL request from the query string of a GET request. @throws SvcError REQUEST_ERROR */
export function readQueryRequest(ctx: HttpExchange): GraphQLRequest {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(ctx.queryString)) {
    if (Object.hasOwn(fields, name)) throw bad(`The parameter "${name}" is given twice.`)
    if (name !== 'variables' && name !== 'extensions') {
      fields[name] = value
      continue
    }
    try {
      fields[name] = value === '' ? null : jsonText.parse(value, true)
    } catch (cause) {
      throw new SvcError('REQUEST_ERROR', `The parameter "${name}" is not valid JSON: ${(cause as Error).message}`, {
        cause,
      })
    }
  }
  return toRequest(fields)
}

/** Validates the members of a GraphQL request, such as `query` and `variables`. @throws SvcError REQUEST_ERROR */
export function toRequest(fields: Readonly<Record<string, unknown>>): GraphQLRequest {
  const { query = null, variables = null, operationName = null, extensions = null } = fields
  if (query !== null && typeof query !== 'string') throw bad('"query" must be a string.')
  if (operationName !== null && typeof operationName !== 'string') throw bad('"operationName" must be a string.')
  if (!isObjectOrNull(variables)) throw bad('"variables" must be an object.')
  if (!isObjectOrNull(extensions)) throw bad('"extensions" must be an object.')
  let other: Record<string, unknown> | null = null
  for (const name in fields) {
    if (name === 'query' || name === 'variables' || name === 'operationName' || name === 'extensions') continue
    if (!DOCUMENT_IDS.has(name)) {
      throw bad(`Unknown field "${name}" in the request.${didYouMean(name, FIELDS)} Fields: ${listNames(FIELDS)}.`)
    }
    other ??= {}
    other[name] = fields[name]
  }
  return {
    // The WebSocket protocols require `query`, so clients of stored documents send an empty one.
    query: query === '' && (other !== null || namesStored(extensions)) ? null : query,
    variables,
    operationName: operationName === '' ? null : operationName,
    extensions,
    other: other ?? NO_OTHER,
  }
}

function namesStored(extensions: Readonly<Record<string, unknown>> | null): boolean {
  return extensions !== null && (extensions.persistedQuery !== undefined || extensions.doc_id !== undefined)
}

function isObjectOrNull(value: unknown): value is Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof ExactNumber)
}
