/** What of a trace is kept with a value that was measured in it. */
export interface TraceLabels extends Readonly<Record<string, string>> {
  readonly trace_id: string
  readonly span_id: string
}

/** A call to somebody else. */
export interface OutgoingCall {
  /** As OpenTelemetry's conventions name spans of its kind: `POST`. */
  readonly name: string
  /** By the same conventions; no secrets, no path of a URL that may hold one. */
  readonly attributes: Readonly<Record<string, string | number>>
  /** What {@link Tracing.origin} gave where the call was caused. Absent or `null`: it begins a trace. */
  readonly origin?: string | null | undefined
}

/** For plugins that call others, or measure. */
export interface Tracing {
  /** Of the span that runs now, where it is sampled; `null`: there is none. */
  labels(): TraceLabels | null
  /** The span that runs now as a `traceparent`, to be kept with what is done later; `null`: there is none. */
  origin(): string | null
  /**
   * Makes a call in a span of its own.
   * @param run gets the headers to send: `traceparent`, `tracestate`
   * @param failure says what is wrong with what `run` gave, a word with few values; `null`: nothing
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
