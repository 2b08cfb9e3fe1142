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

/** Opens spans under what runs now, and ends them with what it was that they are around. */
export class Spans {
  readonly #tracer: Tracer
  /** Of the exchanges that are traced: work that has lost its way back, as a stream that is pulled, is found by them. */
  readonly #contexts = new WeakMap<object, Context>()

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  /** The outermost span of an exchange. */
  begin(name: string, parent: Context, parts: SpanParts): { readonly span: Span; readonly within: Context } {
    const span = this.#tracer.startSpan(name, { kind: SpanKind.INTERNAL, ...parts }, parent)
    return { span, within: trace.setSpan(parent, span) }
  }

  remember(exchange: object, within: Context): void {
    this.#contexts.set(exchange, within)
  }

  /** The span of an exchange; `undefined`: it is not traced, or not sampled. */
  of(exchange: object): Span | undefined {
    const within = this.#contexts.get(exchange)
    const span = within === undefined ? undefined : trace.getSpan(within)
    return span?.isRecording() === true ? span : undefined
  }

  /** Has a part of this exchange a span? Asked before anything is made for one. */
  isSampled(exchange: object | null): boolean {
    return this.#parentOf(exchange) !== null
  }

  /**
   * A span around a part of an exchange, where that is sampled.
   * @param end told what it gave, before the span ends
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

/** Runs `next` within a span and ends it with that. */
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

/** What failed, in a word: messages may hold what somebody sent, or what stands in a row. */
export function fail(span: Span, thrown: unknown): void {
  // A document has several faults, each with its code.
  const [first] = ((thrown as { errors?: unknown })?.errors as readonly unknown[] | undefined) ?? []
  const error = first instanceof SvcError ? first : thrown
  span.setAttribute('error.type', codeOf(error))
  // What the caller did wrong is no failure of the service.
  if (!(error instanceof SvcError) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

function codeOf(error: unknown): string {
  if (error instanceof SvcError) return error.code
  if (!(error instanceof Error)) return '_OTHER'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}
