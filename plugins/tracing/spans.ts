import {
  type Attributes,
  type Context,
  context,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { isPromise, SvcError } from '../../core/doors/plugin.ts'

export interface SpanParts {
  readonly kind?: SpanKind
  readonly attributes?: Attributes
  readonly links?: Link[]
}

/** Creates child spans of the current span, and ends each when the work in it has finished. */
export class Spans {
  readonly #tracer: Tracer
  /** Contexts of traced exchanges, for work that has lost its async context, such as a stream that is pulled. */
  readonly #contexts = new WeakMap<object, Context>()

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  /** Opens the outermost span of an exchange. */
  begin(name: string, parent: Context, parts: SpanParts): { readonly span: Span; readonly within: Context } {
    const span = this.#tracer.startSpan(name, { kind: SpanKind.INTERNAL, ...parts }, parent)
    return { span, within: trace.setSpan(parent, span) }
  }

  remember(exchange: object, within: Context): void {
    this.#contexts.set(exchange, within)
  }

  /** Returns the span of an exchange; `undefined`: it is not traced or not sampled. */
  of(exchange: object): Span | undefined {
    const within = this.#contexts.get(exchange)
    const span = within === undefined ? undefined : trace.getSpan(within)
    return span?.isRecording() === true ? span : undefined
  }

  /** Is the exchange sampled? Call this before you prepare a span. */
  isSampled(exchange: object | null): boolean {
    return this.#parentOf(exchange) !== null
  }

  /**
   * Wraps a part of an exchange in a span, if the exchange is sampled.
   * @param end called with the result before the span ends
   */
  around<T>(
    exchange: object | null,
    name: string,
    parts: SpanParts,
    next: (span: Span) => T | Promise<T>,
    end?: (span: Span, value: T) => void,
  ): unknown {
    const parent = this.#parentOf(exchange)
    if (parent === null) return undefined
    const { span, within } = this.begin(name, parent, parts)
    return settle(span, within, next, end)
  }

  #parentOf(exchange: object | null): Context | null {
    const active = context.active()
    const at =
      trace.getSpan(active) !== undefined ? active : exchange === null ? undefined : this.#contexts.get(exchange)
    return at !== undefined && trace.getSpan(at)?.isRecording() === true ? at : null
  }
}

/**
 * Runs work in a span, and ends the span when the work has finished or failed.
 * @param within OpenTelemetry context with the span
 * @param end called with the result before the span ends, to add attributes
 */
export function settle<T>(
  span: Span,
  within: Context,
  next: (span: Span) => T | Promise<T>,
  end?: (span: Span, value: T) => void,
): T | Promise<T> {
  let out: T | Promise<T>
  try {
    out = context.with(within, () => next(span))
  } catch (error) {
    fail(span, error)
    span.end()
    throw error
  }
  const finish = (value: T): T => {
    end?.(span, value)
    span.end()
    return value
  }
  if (!isPromise(out)) return finish(out)
  return out.then(finish, (error: unknown) => {
    fail(span, error)
    span.end()
    throw error
  })
}

/**
 * Records the code of an error on a span. The message is omitted, because it can contain data of clients or rows. Only
 * errors of the service set the status to ERROR.
 */
export function fail(span: Span, thrown: unknown): void {
  // An invalid document has several errors, each with a code.
  const [first] = ((thrown as { errors?: unknown })?.errors as readonly unknown[] | undefined) ?? []
  const error = first instanceof SvcError ? first : thrown
  span.setAttribute('error.type', codeOf(error))
  // Errors of the caller are not failures of the service.
  if (!(error instanceof SvcError) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

function codeOf(error: unknown): string {
  if (error instanceof SvcError) return error.code
  if (!(error instanceof Error)) return '_OTHER'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}
