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
import type { Tracing } from './api.ts'
import { type Spans, settle } from './spans.ts'

/** What other plugins are handed. */
export function createTracing(spans: Spans): Tracing {
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
      // Baggage is for those who belong together, and a target may be anybody.
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

/** The span that runs now, as W3C writes it. */
export function origin(): string | null {
  const current = trace.getSpanContext(context.active())
  if (current === undefined || !isSpanContextValid(current)) return null
  return `00-${current.traceId}-${current.spanId}-${current.traceFlags.toString(16).padStart(2, '0')}`
}
