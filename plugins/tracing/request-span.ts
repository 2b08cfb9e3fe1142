import { finished, Readable } from 'node:stream'
import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import {
  type AnyExchange,
  type HttpExchange,
  isPromise,
  type MaybePromise,
  type Reply,
} from '../../core/doors/plugin.ts'
import type { TracingOptions } from './options.ts'
import type { Spans } from './spans.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])
const LONGEST_PATH = 1024
const LONGEST_AGENT = 256
/** Transports whose requests have their own headers. For others the headers belong to a long-lived connection. */
const CONTINUED: readonly AnyExchange['transport'][] = ['http', 'grpc']

/**
 * Runs a request in a span, which ends with the last byte of the reply.
 * @param incoming what to do with trace headers of the client
 * @param next handles the request
 */
export function traceExchange(
  spans: Spans,
  { incoming }: Pick<TracingOptions, 'incoming'>,
  ctx: AnyExchange,
  next: () => MaybePromise<Reply>,
): unknown {
  const { parent, links, isContinued } = originOf(ctx, incoming)
  const { span, within } = spans.begin(nameOf(ctx), parent, {
    kind: ctx.transport === 'internal' ? SpanKind.INTERNAL : SpanKind.SERVER,
    attributes: attributesOf(ctx),
    links,
  })
  // The current span must not become the parent of parts of this exchange.
  if (!span.isRecording() && !isContinued && trace.getSpan(context.active()) === undefined) return
  spans.remember(ctx, within)
  span.setAttribute('svc.request_id', ctx.id)
  const end = (reply: Reply): void => {
    describeReply(span, ctx, reply)
    if (reply.body instanceof Readable) finished(reply.body, () => span.end())
    else span.end()
  }
  // `next` converts errors to replies, and never throws.
  const reply = context.with(within, next)
  if (isPromise(reply)) return reply.then(end)
  end(reply)
}

/**
 * Renames the span of a request to its method and route, when the route is known.
 * @param path path pattern of the route; `undefined`: no route matched
 */
export function nameByRoute(span: Span, ctx: AnyExchange, path: string | undefined): void {
  if (path === undefined || ctx.transport !== 'http') return
  span.setAttribute('http.route', path)
  span.updateName(`${methodOf(ctx)} ${path}`)
}

interface Origin {
  readonly parent: Context
  readonly links: Link[]
  /** Does the exchange continue the trace of the caller? Then outgoing calls propagate it, sampled or not. */
  readonly isContinued: boolean
}

function originOf(ctx: AnyExchange, incoming: TracingOptions['incoming']): Origin {
  const remote = incoming === 'ignore' ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, ctx.headers)
  const caller = trace.getSpanContext(remote)
  if (caller === undefined || (incoming === 'continue' && CONTINUED.includes(ctx.transport))) {
    // Work for other requests, such as reading an event for subscribers, is a separate trace.
    const cause = ctx.transport === 'http' ? undefined : trace.getSpanContext(context.active())
    const links = cause === undefined ? [] : [{ context: cause }]
    return { parent: remote, links, isContinued: caller !== undefined }
  }
  return { parent: trace.deleteSpan(remote), links: [{ context: caller }], isContinued: false }
}

function nameOf(ctx: AnyExchange): string {
  if (ctx.transport !== 'http') return ctx.transport
  const method = methodOf(ctx)
  return method === '_OTHER' ? 'HTTP' : method
}

function methodOf({ method }: HttpExchange): string {
  return METHODS.has(method) ? method : '_OTHER'
}

function attributesOf(ctx: AnyExchange): Attributes {
  if (ctx.transport !== 'http') return { 'svc.transport': ctx.transport }
  const { 'user-agent': agent } = ctx.headers
  return {
    'http.request.method': methodOf(ctx),
    'url.path': ctx.pathname.slice(0, LONGEST_PATH),
    ...(typeof agent === 'string' && { 'user_agent.original': agent.slice(0, LONGEST_AGENT) }),
  }
}

function describeReply(span: Span, ctx: AnyExchange, { status }: Reply): void {
  if (!span.isRecording()) return
  if (ctx.transport === 'http') span.setAttribute('http.response.status_code', status)
  if (ctx.abortReason !== null) span.setAttribute('svc.aborted', ctx.abortReason)
  if (status < 500) return
  span.setAttribute('error.type', String(status))
  span.setStatus({ code: SpanStatusCode.ERROR })
}
