import { type HttpExchange, SvcError } from '../../core/doors/plugin.ts'
import { OAuthFault } from './oauth-fault.ts'

/** Maximum length of the input. Providers send less. */
const MOST_CHARS = 16_384

/**
 * Reads the parameters of a request to a login route: from the query string, or for POST from a form or JSON body.
 * @throws OAuthFault `invalid_request`; SvcError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
 */
export async function readInput(ctx: HttpExchange): Promise<URLSearchParams> {
  if (ctx.method !== 'POST') return bounded(new URLSearchParams(ctx.queryString))
  const body = (await ctx.readBody()).toString('utf8')
  if (body === '') return new URLSearchParams()
  const type = String(ctx.headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return bounded(new URLSearchParams(body))
  if (type === 'application/json') return bounded(fromJson(body))
  throw new SvcError('UNSUPPORTED_MEDIA_TYPE', 'The body has to be application/json, or a form.')
}

/**
 * Returns the value of a parameter; `null`: it is missing or empty.
 * @throws OAuthFault when the parameter is repeated (RFC 6749, 3.1)
 */
export function one(input: URLSearchParams, key: string): string | null {
  const [value, ...more] = input.getAll(key)
  if (more.length > 0) throw new OAuthFault('invalid_request', `"${key}" stands there more than once.`)
  return value === undefined || value === '' ? null : value
}

/** Rejects a request with other parameters than the named ones. @throws OAuthFault `invalid_request` */
export function allow(input: URLSearchParams, keys: readonly string[]): void {
  const other = [...input.keys()].find((key) => !keys.includes(key))
  if (other === undefined) return
  const known = keys.map((key) => `"${key}"`).join(', ')
  throw new OAuthFault('invalid_request', `The request has an unknown parameter. Known parameters: ${known}.`)
}

function bounded(input: URLSearchParams): URLSearchParams {
  for (const [key, value] of input) {
    if (key.length + value.length > MOST_CHARS) throw new OAuthFault('invalid_request', 'A value is too long.')
  }
  return input
}

function fromJson(body: string): URLSearchParams {
  const input = new URLSearchParams()
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new OAuthFault('invalid_request', 'The body is no JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OAuthFault('invalid_request', 'The body has to be a JSON object.')
  }
  for (const [key, text] of Object.entries(value)) {
    if (text === null) continue
    if (typeof text !== 'string') throw new OAuthFault('invalid_request', 'Every value of the body has to be a text.')
    input.append(key, text)
  }
  return input
}
