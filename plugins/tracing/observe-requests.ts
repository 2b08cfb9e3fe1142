import { context, type Span, SpanStatusCode } from '@opentelemetry/api'
import {
  type Auth,
  type Exchange,
  type Observer,
  type Operation,
  type Result,
  rootName,
  type Scope,
} from '../../core/doors/plugin.ts'
import type { TracingOptions } from './options.ts'
import { nameByRoute, traceExchange } from './request-span.ts'
import type { Spans } from './spans.ts'
import { ASIDE, RUNNING, StatementSpans } from './statement-span.ts'

/** Maximum length of an operation name. Clients choose it, so longer ones are cut. */
const LONGEST_NAME = 128
const MOST_ROOTS = 10

/**
 * Creates the observer that makes spans for requests and their parts, such as operations and statements. It does nearly
 * nothing for a request that is not sampled.
 */
export function observeRequests(scope: Scope, spans: Spans, options: TracingOptions): Observer {
  const skipped = new Set(options.skip_paths)
  const statements = new StatementSpans(scope, spans, options.statement_text)

  return {
    exchange(ctx, next) {
      if (ctx.transport === 'http' && skipped.has(ctx.pathname)) return
      return traceExchange(spans, options, ctx, next)
    },
    authenticate: (ctx, next) => spans.around(ctx, 'authenticate', {}, next, describeAuth),
    handler(ctx, { path }) {
      const span = spans.of(ctx)
      if (span !== undefined) nameByRoute(span, ctx, path)
    },
    operation(ctx, operation, next) {
      if (!spans.isSampled(ctx)) return
      const { kind } = operation.template
      return spans.around(ctx, kind, { attributes: attributesOf(ctx, operation) }, next, describeResult)
    },
    engine(exchange, operation, next) {
      if (!spans.isSampled(exchange)) return
      return spans.around(exchange, 'execute', {}, () =>
        context.with(context.active().setValue(RUNNING, { exchange, operation }), next),
      )
    },
    plan({ exchange, kind }, next) {
      if (context.active().getValue(ASIDE) === true) return
      return spans.around(exchange, 'plan', { attributes: { 'svc.plan.kind': kind } }, next)
    },
    statement: (work, next) => statements.observe(work, next),
  }
}

function attributesOf(_ctx: Exchange, { template: { kind, name, roots } }: Operation) {
  return {
    'graphql.operation.type': kind,
    ...(name !== null && { 'graphql.operation.name': name.slice(0, LONGEST_NAME) }),
    'svc.roots': [...new Set(roots.map(rootName))].slice(0, MOST_ROOTS),
  }
}

function describeAuth(span: Span, auth: Auth | undefined): void {
  if (auth !== undefined) span.setAttribute('svc.auth.method', auth.method)
}

/** Records errors of single roots. Errors of the caller are not failures of the service. */
function describeResult(span: Span, { errors }: Result): void {
  const [first] = errors ?? []
  if (first === undefined) return
  const worst = errors!.find(({ status }) => status >= 500) ?? first
  span.setAttribute('error.type', worst.code)
  if (worst.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}
