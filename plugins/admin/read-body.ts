import { type HttpExchange, SvcError } from '../../core/index.ts'

/**
 * The body as a JSON object of known members.
 * @param known names of the members that it may have
 * @param optional no body at all is an empty object
 * @throws SvcError UNSUPPORTED_MEDIA_TYPE, INVALID_JSON, VALIDATION_ERROR, PAYLOAD_TOO_LARGE
 */
export async function readBody(
  ctx: HttpExchange,
  known: readonly string[],
  { optional = false }: { readonly optional?: boolean } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await ctx.readBody()
  if (bytes.length === 0 && optional) return {}
  if (!/^application\/json\s*(;|$)/i.test(String(ctx.headers['content-type'] ?? ''))) {
    throw new SvcError('UNSUPPORTED_MEDIA_TYPE', 'The body has to be application/json.')
  }
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new SvcError('INVALID_JSON', 'The body is not valid JSON.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new SvcError('VALIDATION_ERROR', 'The body has to be a JSON object.')
  }
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const names = known.length === 0 ? 'none' : known.join(', ')
    throw new SvcError('VALIDATION_ERROR', `The body has no member "${unknown}" here; it may have: ${names}.`)
  }
  return body as Readonly<Record<string, unknown>>
}
