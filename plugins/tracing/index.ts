import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { definePlugin, type Operation, type Scope, SvcError } from '../../core/doors/plugin.ts'
import type {} from '../graphql/api.ts'
import type { Tracing } from './api.ts'
import manifest from './manifest.ts'
import { observeRequests } from './observe-requests.ts'
import { openSdk } from './open-sdk.ts'
import type { TracingOptions } from './options.ts'
import { readEnvironment } from './read-environment.ts'
import { Spans, settle } from './spans.ts'
import type { ExportReport } from './watched-exporter.ts'

/** Time limit for the delivery of remaining spans at shutdown, in case the collector does not respond. */
const FLUSH_MS = 5000

/**
 * The plugin for tracing with W3C Trace Context and the OpenTelemetry environment variables (docs/plugins/tracing.md).
 */
export default definePlugin<TracingOptions>(manifest, async (scope, options) => {
  const environment = readEnvironment(process.env)
  if (environment.disabled) {
    scope.log.info({}, 'OTEL_SDK_DISABLED is set: nothing is traced')
    return
  }
  const { process: view } = scope
  const sdk = await openSdk(environment, identityOf(scope), createReport(scope))
  scope.onClose(() => within(FLUSH_MS, sdk.close(), scope))
  const spans = new Spans(trace.getTracer('svc', view.version))

  scope.observe(observeRequests(scope, spans, options))
  scope.on(
    'graphql:prepare',
    (ctx, _request, next) => (spans.around(ctx, 'parse', {}, next) ?? next()) as Operation | Promise<Operation>,
  )
  scope.observe({
    logFields() {
      const current = trace.getSpanContext(context.active())
      return current === undefined ? null : { trace_id: current.traceId, span_id: current.spanId }
    },
  })
  const tracing = createTracing(spans)
  scope.provide('tracing', tracing)

  if (!options.sql_comment) return
  scope.observe({ statementComment: () => (tracing.labels() === null ? null : `traceparent='${origin()}'`) })
  scope.onReady(() => {
    const databases = [...scope.process.databases().values()]
    if (databases.some(({ takesComments }) => takesComments === true)) return
    const [{ kind } = scope.database()] = databases
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      `[tracing] sql_comment: the driver "${kind}" shows no comments. Take the key out; postgres does.`,
    )
  })
})

function identityOf({ config, process: { peers } }: Scope) {
  const { name, version } = config.project
  return { name, version, worker: peers.index }
}

function createReport(scope: Scope): ExportReport {
  const exported = scope.metrics.counter('svc_tracing_spans_exported_total')
  const lost = scope.metrics.counter('svc_tracing_spans_lost_total')
  return {
    exported: (spans) => exported.add(spans),
    lost(spans, error, isNews) {
      lost.add(spans)
      if (isNews) scope.log.warn({ error }, 'spans cannot be delivered (OTEL_EXPORTER_OTLP_ENDPOINT); they are dropped')
    },
    recovered: () => scope.log.info({}, 'spans are delivered again'),
  }
}

async function within(ms: number, work: Promise<void>, scope: Scope): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms)
  })
  const ended = await Promise.race([work, late]).finally(() => clearTimeout(timer))
  if (ended === 'late') scope.log.warn({}, `spans that were not delivered within ${ms} ms are left behind`)
}

/** Creates the API for other plugins. */
function createTracing(spans: Spans): Tracing {
  return {
    labels() {
      const current = trace.getSpanContext(context.active())
      if (current === undefined || (current.traceFlags & TraceFlags.SAMPLED) === 0) return null
      return { trace_id: current.traceId, span_id: current.spanId }
    },
    origin,
    outgoing(call, run, failure) {
      const parent =
        call.origin == null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: call.origin })
      const attributes = { ...call.attributes }
      const { span, within } = spans.begin(call.name, parent, { kind: SpanKind.CLIENT, attributes })
      const headers: Record<string, string> = {}
      // Baggage can contain internal data, and the target can be a third party.
      propagation.inject(propagation.deleteBaggage(within), headers)
      return settle(
        span,
        within,
        () => run(headers),
        (_span, result) => {
          const why = failure(result)
          if (why === null) return
          span.setAttribute('error.type', why)
          span.setStatus({ code: SpanStatusCode.ERROR })
        },
      ) as ReturnType<typeof run>
    },
  }
}

/** Returns the current span as `traceparent`; `null`: none. */
function origin(): string | null {
  const current = trace.getSpanContext(context.active())
  if (current === undefined || !isSpanContextValid(current)) return null
  return `00-${current.traceId}-${current.spanId}-${current.traceFlags.toString(16).padStart(2, '0')}`
}
