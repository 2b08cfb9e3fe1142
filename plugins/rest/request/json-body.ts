import { isUtf8 } from 'node:buffer'
import { jsonText } from '../../../core/doors/front.ts'
import { type HttpExchange, SvcError } from '../../../core/doors/plugin.ts'
import { badRequest } from './refusals.ts'

/** Content types that the body of a POST or PUT may have. */
export const JSON_BODY: readonly string[] = ['application/json']
export const PATCH_BODY: readonly string[] = ['application/json', 'application/merge-patch+json']

/**
 * Reads the body of a REST request as JSON.
 * @param optional `true`: return `undefined` for an empty body
 * @throws SvcError BAD_REQUEST for a wrong content type or a missing body, INVALID_JSON, PAYLOAD_TOO_LARGE
 */
export async function readJsonBody(ctx: HttpExchange, optional: boolean): Promise<unknown> {
  const given = ctx.headers['content-type']
  const bytes = await ctx.readBody()
  if (optional && bytes.length === 0) return undefined
  checkType(typeof given === 'string' ? given : undefined, ctx.method === 'PATCH' ? PATCH_BODY : JSON_BODY)
  if (bytes.length === 0) throw badRequest('The request has no body.')
  if (!isUtf8(bytes)) throw new SvcError('INVALID_JSON', 'The body is not valid UTF-8.')
  try {
    return jsonText.parse(bytes.toString('utf8'), true)
  } catch (cause) {
    throw new SvcError('INVALID_JSON', `The body is not valid JSON: ${(cause as Error).message}`, { cause })
  }
}

function checkType(given: string | undefined, types: readonly string[]): void {
  const [type = '', ...parameters] = (given ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters
    .find((each) => each.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  if (types.includes(type) && (charset === undefined || charset === 'utf-8' || charset === 'utf8')) return
  const found = given === undefined ? 'it is missing' : `it is "${given.slice(0, 100)}"`
  throw badRequest(`Content-Type has to be ${types.join(' or ')} in UTF-8; ${found}.`)
}
