import { type Attributes, context, createContextKey, type Span, SpanKind } from '@opentelemetry/api'
import type { Exchange, Observer, Operation, Scope } from '../../core/doors/plugin.ts'
import type { Spans } from './spans.ts'

/** Names of databases in OpenTelemetry, by driver. */
const SYSTEMS: Readonly<Record<string, string>> = { postgres: 'postgresql', pglite: 'postgresql' }
const LONGEST_TEXT = 4096
/** Maximum number of views in a span. */
const MOST_SOURCES = 10
const SQLSTATE = /^[0-9A-Z]{5}$/

/** Key in the OpenTelemetry context for the running operation, by which the span of a statement finds its operation. */
export const RUNNING = createContextKey('svc.running')

/** Key in the OpenTelemetry context that marks work done only to describe a span, so that it gets no spans itself. */
export const ASIDE = createContextKey('svc.aside')

type StatementWork = Parameters<NonNullable<Observer['statement']>>[0]

interface Running {
  readonly exchange: Exchange
  readonly operation: Operation
}

/**
 * Creates spans of SQL statements, by the OpenTelemetry conventions for databases. They contain placeholders instead of
 * values.
 */
export class StatementSpans {
  readonly #scope: Scope
  readonly #spans: Spans
  readonly #withText: boolean

  constructor(scope: Scope, spans: Spans, withText: boolean) {
    this.#scope = scope
    this.#spans = spans
    this.#withText = withText
  }

  observe({ database: { name: of, kind }, exchange, statement }: StatementWork, next: () => Promise<unknown>): unknown {
    if (!this.#spans.isSampled(exchange)) return
    const isOther = of !== 'default'
    const system = { 'db.system.name': SYSTEMS[kind] ?? kind, ...(isOther && { 'svc.database': of }) }
    if (statement === null) return this.#spans.around(exchange, 'transaction', { attributes: system }, next)
    const operation = /^\s*([A-Za-z]+)/.exec(statement.text)?.[1]?.toUpperCase()
    const [source, ...others] = sourcesIn(of, this.#sources())
    const only = source !== undefined && others.length === 0 ? source : undefined
    const name = [operation, only].filter((part) => part !== undefined).join(' ')
    const attributes: Attributes = {
      ...system,
      ...(operation !== undefined && { 'db.operation.name': operation }),
      ...(only !== undefined && { 'db.collection.name': only }),
      ...(others.length > 0 && { 'svc.sources': [source!, ...others].slice(0, MOST_SOURCES) }),
      ...(this.#withText && { 'db.query.text': cut(statement.text) }),
    }
    const noting = (span: Span) => (error: unknown) => {
      const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
      const state = [code, cause?.code].find((one) => typeof one === 'string' && SQLSTATE.test(one))
      if (state !== undefined) span.setAttribute('db.response.status_code', state as string)
      throw error
    }
    const parts = { kind: SpanKind.CLIENT, attributes }
    return this.#spans.around(exchange, name || system['db.system.name'], parts, (span) => next().catch(noting(span)))
  }

  /** Returns the views of the operation. They are cached with the plan, which exists when a statement is sent. */
  #sources(): readonly string[] {
    const running = context.active().getValue(RUNNING) as Running | undefined
    if (running === undefined || running.operation.template.kind !== 'query') return []
    try {
      const { exchange, operation } = running
      return context.with(context.active().setValue(ASIDE, true), () =>
        this.#scope.engine.sourcesOf(exchange, operation),
      )
    } catch {
      // An operation that cannot be planned reports its own error.
      return []
    }
  }
}

/** Returns the views of one database. Those of other databases than the default one have a prefix: `crm:v_customer`. */
function sourcesIn(database: string, sources: readonly string[]): readonly string[] {
  if (database === 'default') return sources.filter((name) => !name.includes(':'))
  const prefix = `${database}:`
  return sources.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
}
