import type { JsonSchema } from '../../core/doors/plugin.ts'

export const INCOMING = ['continue', 'link', 'ignore'] as const

/**
 * Options of the section `[tracing]`. Exporter, sampling and the name of the service come from the standard variables
 * `OTEL_…`.
 */
export interface TracingOptions {
  readonly enabled: boolean
  readonly incoming: (typeof INCOMING)[number]
  readonly statement_text: boolean
  readonly sql_comment: boolean
  readonly skip_paths: readonly string[]
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    incoming: {
      type: 'string',
      enum: [...INCOMING],
      default: 'continue',
      description:
        'Use of the `traceparent` of a request: `continue` its trace, `link` a new trace to it (the caller does not decide about ' +
        'sampling), or `ignore` it.',
    },
    statement_text: {
      type: 'boolean',
      default: true,
      description: 'Spans of statements carry their text (`db.query.text`). It has placeholders where the values go.',
    },
    sql_comment: {
      type: 'boolean',
      default: false,
      description:
        'Statements of sampled traces carry their `traceparent` as a comment. They are not prepared, and have a connection of their ' +
        'own while they run; all others stay prepared. PostgreSQL only.',
    },
    skip_paths: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: ['/health', '/health/live', '/health/ready', '/health/detailed', '/ready', '/readiness', '/metrics'],
      description: 'Paths whose requests are not traced.',
    },
  },
}
