import type { JsonSchema } from '../../core/doors/plugin.ts'
import type { Thresholds } from './breaker.ts'

/** Options of the section `[federation.circuit_breaker]`. */
export interface CircuitBreakerOptions extends Thresholds {
  readonly enabled: boolean
  readonly per_database: readonly Override[]
}

/**
 * Thresholds for one entity type, from `[[federation.circuit_breaker.per_database]]`. A missing threshold has the value
 * of the section.
 */
export interface Override extends Partial<Thresholds> {
  /** Name of the entity type in the schema, although the key is called `database`. */
  readonly database: string
}

const failures = { type: 'integer', minimum: 1, maximum: 1_000_000 } as const
const seconds = { type: 'number', exclusiveMinimum: 0, maximum: 86_400 } as const

export const options: JsonSchema = {
  type: 'object',
  description: 'When an entity whose database keeps failing is left alone, and when it is tried again.',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: true, description: 'Off: every request reaches the database.' },
    failure_threshold: { ...failures, default: 5, description: 'Failures in a row that open the circuit.' },
    recovery_timeout_secs: {
      ...seconds,
      default: 30,
      description: 'Seconds that it stays open before a request is let through as a probe.',
    },
    success_threshold: { ...failures, default: 2, description: 'Probes in a row that succeed before it closes.' },
    per_database: {
      type: 'array',
      default: [],
      description:
        'Other thresholds for single entities; a type that stands here has a circuit of its own in any case.',
      examples: [[{ database: 'Product', failure_threshold: 3 }]],
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['database'],
        properties: {
          database: { type: 'string', minLength: 1, description: 'Name of the entity.' },
          failure_threshold: failures,
          recovery_timeout_secs: seconds,
          success_threshold: failures,
        },
      },
    },
  },
}
