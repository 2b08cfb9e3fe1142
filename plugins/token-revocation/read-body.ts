import { type HttpExchange, readJson, SvcError } from '../../core/doors/plugin.ts'

/** What every store can keep. */
const TEXT = /^[^\p{Cc}]{1,16384}$/u

/**
 * The one text that a route takes: `{ "<key>": "…" }`.
 * @throws SvcError UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT, PAYLOAD_TOO_LARGE
 */
export async function readText(ctx: HttpExchange, key: string): Promise<string> {
  const body = await readJson(ctx).catch((error: unknown) => {
    throw error instanceof SvcError && error.code === 'INVALID_JSON' ? wanted(key) : error
  })
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) throw wanted(key)
  const others = Object.keys(body).filter((other) => other !== key)
  const value = (body as Record<string, unknown>)[key]
  if (others.length > 0 || typeof value !== 'string' || !TEXT.test(value)) throw wanted(key)
  return value
}

function wanted(key: string): SvcError {
  return new SvcError('BAD_USER_INPUT', `The body has to be { "${key}": "…" } and nothing else.`)
}
