import { type HttpExchange, readJson, SvcError } from '../../core/doors/plugin.ts'

/**
 * Reads the request body as a JSON object and rejects members that are not in `known`.
 * @param known names of the allowed members
 * @param optional `true` allows an absent body, which counts as an empty object
 * @throws SvcError VALIDATION_ERROR for another body; INVALID_JSON, UNSUPPORTED_MEDIA_TYPE or PAYLOAD_TOO_LARGE
 */
export async function readBody(
  ctx: HttpExchange,
  known: readonly string[],
  { optional = false }: { readonly optional?: boolean } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const given = await readJson(ctx, { optional })
  const body = given === undefined ? {} : given
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new SvcError('VALIDATION_ERROR', 'The body has to be a JSON object.')
  }
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new SvcError(
      'VALIDATION_ERROR',
      `The body has no member "${unknown}" here; it may have: ${known.join(', ')}.`,
    )
  }
  return body as Readonly<Record<string, unknown>>
}
