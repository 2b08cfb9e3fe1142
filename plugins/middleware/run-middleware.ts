import { Readable } from 'node:stream'
import type { Middleware, MiddlewareRequest } from '../../core/doors/command.ts'
import { type AnyExchange, type Auth, type MaybePromise, type Reply, WrappedText } from '../../core/doors/plugin.ts'
import { authorError } from './author-error.ts'

/**
 * Runs the author's middleware around a request. The function that is declared first is the outermost.
 * @param identify authenticates the caller by the headers, which middleware may have changed
 * @param rest handles the request inside the innermost function
 * @throws errors of the middleware
 */
export async function runMiddleware(
  chain: readonly Middleware[],
  ctx: AnyExchange,
  identify: (ctx: AnyExchange) => MaybePromise<Auth | null>,
  rest: () => MaybePromise<Reply>,
): Promise<Reply> {
  const request = new AuthorRequest(ctx)
  const run = async (index: number): Promise<Reply> => {
    const fn = chain[index]
    if (fn === undefined) return rest()
    request.auth = await identify(ctx)
    let called = false
    const next = (given: MiddlewareRequest = request): Promise<Reply> => {
      if (called) throw new TypeError('Middleware called next twice: the request would run twice.')
      called = true
      if (given !== request) throw new TypeError('next takes the request that middleware was given: next(request).')
      const answer = run(index + 1)
      // Prevents an unhandled rejection if the middleware does not await this promise yet, or throws first.
      answer.catch(() => {})
      return answer
    }
    return authorReply(await fn(request, next as never))
  }
  try {
    return await run(0)
  } catch (error) {
    throw authorError(error)
  }
}

/**
 * Converts the result of middleware to a reply of the service.
 * @throws TypeError that describes the expected result
 */
function authorReply(value: unknown): Reply {
  if (typeof value !== 'object' || value === null) throw noReply(value)
  const { status, headers = {}, body = null } = value as Partial<Reply>
  if (!Number.isInteger(status) || Number(status) < 100 || Number(status) > 599) throw noReply(value)
  if (typeof headers !== 'object' || headers === null) throw noReply(value)
  if ('headers' in value && 'body' in value && isBody(body)) return value as Reply
  if (isBody(body)) return { status: status as number, headers, body }
  const json = { 'content-type': 'application/json; charset=utf-8', ...lowerCase(headers) }
  return { status: status as number, headers: json, body: JSON.stringify(body) }
}

function isBody(body: unknown): body is Reply['body'] {
  return (
    body === null ||
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    body instanceof Readable ||
    body instanceof WrappedText
  )
}

function lowerCase(headers: Reply['headers']): Reply['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function noReply(value: unknown): TypeError {
  const got = value === undefined ? 'nothing' : typeof value === 'object' ? 'another object' : typeof value
  return new TypeError(
    `Middleware gave ${got}. It has to return { status, headers, body }, or what next gave: return next(request).`,
  )
}

/** The view of an exchange that the author's middleware gets. */
class AuthorRequest implements MiddlewareRequest {
  readonly #ctx: AnyExchange
  auth: Auth | null = null

  constructor(ctx: AnyExchange) {
    this.#ctx = ctx
    // All exchanges of a connection share its headers, so that middleware gets a copy. An HTTP request has its own.
    if (ctx.transport !== 'http') Object.assign(ctx, { headers: { ...ctx.headers } })
  }

  get id(): string {
    return this.#ctx.id
  }

  get transport(): MiddlewareRequest['transport'] {
    return this.#ctx.transport
  }

  get method(): string | null {
    return this.#ctx.transport === 'http' ? this.#ctx.method : null
  }

  get url(): string | null {
    return this.#ctx.transport === 'http' ? this.#ctx.url : null
  }

  get headers(): MiddlewareRequest['headers'] {
    return this.#ctx.headers as MiddlewareRequest['headers']
  }

  get address(): string {
    return this.#ctx.address
  }

  get context(): Record<string, unknown> {
    return this.#ctx.context
  }
}
