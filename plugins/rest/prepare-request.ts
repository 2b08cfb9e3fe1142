import { http } from '../../core/doors/front.ts'
import {
  type Exchange,
  type HttpExchange,
  type MaybePromise,
  type Operation,
  type Reply,
  type Route,
  SvcError,
} from '../../core/doors/plugin.ts'
import type { RestRequest } from './api.ts'

/** A route whose handler throws {@link Prepared} with its operation instead of running it. */
export interface PreparingRoute extends Pick<Route, 'method' | 'path'> {
  readonly handler: (ctx: HttpExchange) => MaybePromise<Reply>
}

/**
 * Carries the operation of a request out of its route handler. Thrown instead of running it, to explain the operation.
 */
export class Prepared extends Error {
  readonly operation: Operation

  constructor(operation: Operation) {
    super('prepared')
    this.operation = operation
  }
}

/**
 * Creates the function that reads a REST request without running it, to explain it.
 * @returns a function that returns the first operation of a request; for a write to the rows of a filter, the query of
 * these rows
 */
export function createPreparer(
  routes: readonly PreparingRoute[],
): (ctx: Exchange, request: RestRequest) => Promise<Operation> {
  const router = http.createRouter(routes)
  return async (ctx, request) => {
    const question = request.path.indexOf('?')
    const pathname = question === -1 ? request.path : request.path.slice(0, question)
    const asked = { method: request.method, pathname, params: {} }
    const { handler } = router.match(asked)
    try {
      await handler(asHttp(ctx, request, pathname, asked.params))
    } catch (error) {
      if (error instanceof Prepared) return error.operation
      throw error
    }
    throw new SvcError('BAD_REQUEST', 'This request is answered without the database.')
  }
}

/** Headers that REST reads. All other headers come from the real request, because they can contain credentials. */
const OWN_HEADERS = ['accept', 'content-type', 'if-match', 'if-none-match', 'last-event-id', 'prefer']

/** @throws SvcError VALIDATION_ERROR for a header that REST does not read, such as a credential */
function headersOf(ctx: Exchange, given: RestRequest['headers']): Exchange['headers'] {
  const headers = { ...ctx.headers }
  // Removes `idempotency-key` too: a prepared request is not run, so no reply is stored.
  for (const name of [...OWN_HEADERS, 'idempotency-key']) delete headers[name]
  for (const [name, value] of Object.entries(given)) {
    if (OWN_HEADERS.includes(name)) headers[name] = value
    else if (name !== 'idempotency-key')
      throw new SvcError(
        'VALIDATION_ERROR',
        `The header "${name}" is read from the request that asks, not from the one that it asks about, which may have: ${OWN_HEADERS.join(', ')}.`,
      )
  }
  return headers
}

/** Returns the exchange with the prepared request in place of its own. Headers set for the reply are dropped. */
function asHttp(ctx: Exchange, request: RestRequest, pathname: string, params: HttpExchange['params']): HttpExchange {
  const { method, path: url, body } = request
  const own: Partial<HttpExchange> = {
    transport: 'http',
    method,
    url,
    pathname,
    queryString: url.slice(pathname.length + 1),
    params,
    headers: headersOf(ctx, request.headers),
    replyHeaders: null,
    readBody: async () => Buffer.from(body ?? ''),
  }
  return new Proxy(ctx, {
    get(target, key) {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (target, key, value) => Reflect.set(Object.hasOwn(own, key) ? own : target, key, value),
  }) as HttpExchange
}
