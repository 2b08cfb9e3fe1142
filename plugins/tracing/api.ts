/** Ids of a trace and a span, to store with a value that was measured in them. */
export interface TraceLabels extends Readonly<Record<string, string>> {
  readonly trace_id: string
  readonly span_id: string
}

/** A call to another service, for its span. */
export interface OutgoingCall {
  /** Name of the span by the semantic conventions of OpenTelemetry: `POST`. */
  readonly name: string
  /**
   * Span attributes by the OpenTelemetry conventions, without secrets, and without the path of a URL that may contain
   * one.
   */
  readonly attributes: Readonly<Record<string, string | number>>
  /** Result of {@link Tracing.origin} at the time when the call was caused. Absent or `null`: the call starts a trace. */
  readonly origin?: string | null | undefined
}

/** API for plugins that call other services, or measure. */
export interface Tracing {
  /** Returns the trace and span ids of the current span; `null` when there is none, or it is not sampled. */
  labels(): TraceLabels | null
  /** Returns the current span as a `traceparent`, to store with work that is done later; `null` when there is none. */
  origin(): string | null
  /**
   * Makes a call in its own span.
   * @param run makes the call with the given headers: `traceparent`, `tracestate`
   * @param failure returns the kind of failure of a result, as a word from a small set; `null` for success
   */
  outgoing<T>(
    call: OutgoingCall,
    run: (headers: Readonly<Record<string, string>>) => Promise<T>,
    failure: (result: T) => string | null,
  ): Promise<T>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    tracing: Tracing
  }
}
