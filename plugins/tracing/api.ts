/** Ids of the current trace and span, to store with a measured value, for example as an exemplar. */
export interface TraceLabels extends Readonly<Record<string, string>> {
  readonly trace_id: string
  readonly span_id: string
}

/** Describes a call to another service, for the span that represents it. */
export interface OutgoingCall {
  /** Name of the span by the OpenTelemetry conventions, such as `POST`. */
  readonly name: string
  /**
   * Attributes of the span by the OpenTelemetry conventions. They must not contain secrets, nor the path of a URL,
   * which may be secret.
   */
  readonly attributes: Readonly<Record<string, string | number>>
  /**
   * Result of {@link Tracing.origin} from when the reason for the call occurred. Absent or `null`: the call starts a
   * new trace.
   */
  readonly origin?: string | null | undefined
}

/** API of the tracing plugin for plugins that call other services or store measurements. */
export interface Tracing {
  /** Returns the ids of the current trace and span; `null` when there is none or it is not sampled. */
  labels(): TraceLabels | null
  /**
   * Returns the current span as a `traceparent`, to store with work that is done later; `null` when there is no span.
   */
  origin(): string | null
  /**
   * Makes a call to another service in a span of its own.
   * @param run makes the call, with the headers `traceparent` and `tracestate` to send
   * @param failure returns a short error type for a failed result, from a small set; `null`: the call succeeded
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
