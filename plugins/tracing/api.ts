/** Ids of a trace and a span, to store with a value that was measured in them. */
export interface TraceLabels extends Readonly<Record<string, string>> {
  readonly trace_id: string
  readonly span_id: string
}

/** A call to another service. */
export interface OutgoingCall {
  /** Name of the span by the semantic conventions of OpenTelemetry: `POST`. */
  readonly name: string
  /** Attributes by the same conventions, without secrets, and without the path of a URL that may contain one. */
  readonly attributes: Readonly<Record<string, string | number>>
  /** Result of {@link Tracing.origin} at the time when the call was caused. Absent or `null`: the call starts a trace. */
  readonly origin?: string | null | undefined
}

/** For plugins that call other services, or measure. */
export interface Tracing {
  /** The labels of the current span; `null` when there is none, or it is not sampled. */
  labels(): TraceLabels | null
  /** The current span as a `traceparent`, to store with work that is done later; `null` when there is none. */
  origin(): string | null
  /**
   * Makes a call in its own span.
   * @param run gets the headers to send: `traceparent`, `tracestate`
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
