import {
  type Exchange,
  type HttpExchange,
  isPromise,
  type MaybePromise,
  type Operation,
  type Reply,
  type Result,
  SvcError,
} from '../../../core/doors/plugin.ts'
import { answerBatch, type BatchRules } from './answer-batch.ts'
import { isJsonBody, negotiate, type ResponseType, wantsEvents, wantsHtml } from './media-types.ts'
import { type GraphQLRequest, readBody, readBodyRequest, readMember, readQueryRequest } from './read-request.ts'
import { type DescribeAnswer, respond, respondToFailure, respondToRefusal, type ShowError } from './respond.ts'

export interface HttpParts {
  readonly show: ShowError
  /**
   * Parses, validates and prepares a GraphQL request for execution.
   * @throws DocumentErrors or SvcError when the request is invalid
   */
  readonly prepare: (ctx: Exchange, request: GraphQLRequest) => MaybePromise<Operation>
  readonly run: (ctx: Exchange, operation: Operation) => MaybePromise<Result>
  /** Returns the handler of requests for an event stream; `null`: no plugin serves event streams. */
  readonly events: () => ((ctx: HttpExchange) => MaybePromise<Reply>) | null
  /** Returns the handler of browser requests for a query editor; `null`: no plugin serves one. */
  readonly html: () => ((ctx: HttpExchange) => MaybePromise<Reply>) | null
  /**
   * Called after a request was read. Returns the function that later writes `extensions` of its response; `null`: the
   * response has no extensions.
   */
  readonly describe: (ctx: HttpExchange) => DescribeAnswer | null
  readonly batch: BatchRules
}

/** The handlers of the GraphQL endpoint for HTTP requests. */
export interface HttpHandlers {
  readonly post: (ctx: HttpExchange) => MaybePromise<Reply>
  readonly get: (ctx: HttpExchange) => MaybePromise<Reply>
  /** Reads the parameters of a GET or POST request, without running it. */
  readonly read: (ctx: HttpExchange) => MaybePromise<GraphQLRequest>
  /** Renders errors that occur before `get` or `post` runs, such as invalid credentials or exceeded limits. */
  readonly renderError: (ctx: HttpExchange, error: unknown) => Reply
}

export function createHttpHandlers({ show, prepare, run, html, events, describe, batch }: HttpParts): HttpHandlers {
  function post(ctx: HttpExchange): MaybePromise<Reply> {
    const stream = events()
    if (stream !== null && wantsEvents(header(ctx, 'accept'))) return stream(ctx)
    const type = acceptable(ctx)
    refuseOtherBody(ctx)
    return reply(ctx, ctx.readBody(), type)
  }

  function get(ctx: HttpExchange): MaybePromise<Reply> {
    const page = html()
    if (page !== null && wantsHtml(header(ctx, 'accept')) && !hasQuery(ctx)) return page(ctx)
    const stream = events()
    if (stream !== null && wantsEvents(header(ctx, 'accept'))) return stream(ctx)
    return reply(ctx, null, acceptable(ctx)).then(byAccept)
  }

  /** Answers a request. A single async function, because each further one costs a promise per request. @param body `null`: a GET request */
  async function reply(ctx: HttpExchange, body: Promise<Buffer> | null, type: ResponseType): Promise<Reply> {
    const value = body === null ? null : readBody(await body)
    if (batch.most > 0 && Array.isArray(value)) {
      return answerBatch({ show, prepare, describe, start, batch }, ctx, value, type)
    }
    const request = body === null ? readQueryRequest(ctx) : readMember(value)
    const telling = describe(ctx)
    // From here on the HTTP request is well-formed, and errors are rendered by the rules of GraphQL.
    let result: Result
    try {
      const running = answer(ctx, request)
      result = isPromise(running) ? await running : running
    } catch (error) {
      const refuse = isRefusal(error) ? respondToRefusal : respondToFailure
      return refuse(ctx, error, type, show, telling)
    }
    return respond(ctx, result, type, show, telling)
  }

  function answer(ctx: HttpExchange, request: GraphQLRequest): MaybePromise<Result> {
    const prepared = prepare(ctx, request)
    return isPromise(prepared) ? prepared.then((operation) => start(ctx, operation)) : start(ctx, prepared)
  }

  function start(ctx: HttpExchange, operation: Operation): MaybePromise<Result> {
    checkTransport(ctx, operation)
    return run(ctx, operation)
  }

  return {
    post,
    get,
    read(ctx) {
      if (ctx.method !== 'POST') return readQueryRequest(ctx)
      refuseOtherBody(ctx)
      return ctx.readBody().then(readBodyRequest)
    },
    renderError: (ctx, error) =>
      respondToRefusal(ctx, error, negotiate(header(ctx, 'accept')) ?? 'application/json', show, null),
  }
}

/** Adds `Vary: Accept`: the endpoint has several media types, and a page. */
function byAccept(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, vary: 'Accept' } }
}

function header(ctx: HttpExchange, name: string): string | undefined {
  const value = ctx.headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}

/** @throws SvcError UNSUPPORTED_MEDIA_TYPE */
function refuseOtherBody(ctx: HttpExchange): void {
  const given = header(ctx, 'content-type')
  if (isJsonBody(given)) return
  throw new SvcError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body must be application/json in UTF-8${given === undefined ? '; the request has no content-type.' : `, not "${given}".`}`,
  )
}

function acceptable(ctx: HttpExchange): ResponseType {
  const type = negotiate(header(ctx, 'accept'))
  if (type !== null) return type
  throw new SvcError('NOT_ACCEPTABLE', 'Answers are application/json or application/graphql-response+json in UTF-8.')
}

function hasQuery(ctx: HttpExchange): boolean {
  return ctx.queryString !== '' && new URLSearchParams(ctx.queryString).has('query')
}

function checkTransport(ctx: HttpExchange, { template }: Operation): void {
  if (template.kind === 'subscription') {
    throw new SvcError(
      'REQUEST_ERROR',
      'Subscriptions are streams: use a WebSocket, or send `Accept: text/event-stream` where that is served.',
    )
  }
  if (template.kind === 'mutation' && ctx.method !== 'POST') {
    throw new SvcError('METHOD_NOT_ALLOWED', 'Mutations are not allowed over GET: use POST.', {
      details: { allow: ['POST'] },
    })
  }
}

/** Errors of requests that are no GraphQL requests, use the wrong method, or whose document is not parsed. */
const REFUSALS: ReadonlySet<string> = new Set([
  'REQUEST_ERROR',
  'METHOD_NOT_ALLOWED',
  'PERSISTED_QUERY_MISMATCH',
  'FORBIDDEN_QUERY',
  'DOCUMENT_NOT_FOUND',
])

/** Does the response have the status of the error for every media type? */
function isRefusal(error: unknown): boolean {
  return error instanceof SvcError && REFUSALS.has(error.code)
}
