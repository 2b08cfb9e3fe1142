import { isUtf8 } from 'node:buffer'
import { SvcError } from '../../base/errors/svc-error.ts'
import { parseClientJson } from '../../base/util/client-json.ts'
import type { HttpExchange } from '../../contract/http-exchange.ts'

/**
 * Reads and parses the body of a request. It requires the content type `application/json`, which HTML forms of other
 * sites cannot send.
 * @param optional `true`: an empty body gives `undefined`
 * @returns the value, with an `ExactNumber` for each number that a double cannot represent
 * @throws SvcError UNSUPPORTED_MEDIA_TYPE: another content type; INVALID_JSON: the body is not JSON; PAYLOAD_TOO_LARGE:
 * it exceeds `server.max_body_bytes`
 */
export async function readJson(
  ctx: HttpExchange,
  { optional = false }: { readonly optional?: boolean } = {},
): Promise<unknown> {
  const bytes = await ctx.readBody()
  if (bytes.length === 0 && optional) return undefined
  if (!/^application\/json\s*(;|$)/i.test(String(ctx.headers['content-type'] ?? ''))) {
    throw new SvcError('UNSUPPORTED_MEDIA_TYPE', 'The body has to be application/json.')
  }
  if (!isUtf8(bytes)) throw new SvcError('INVALID_JSON', 'The body is not valid UTF-8.')
  try {
    return parseClientJson(bytes.toString('utf8'))
  } catch (cause) {
    throw new SvcError('INVALID_JSON', `The body is not valid JSON: ${(cause as Error).message}`, { cause })
  }
}
