import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[svc.caching]`. */
export interface CachingOptions {
  readonly enabled: boolean
  readonly backend: 'memory' | 'kvstore'
  readonly kvstore_url?: string
  readonly max_memory_entries: number
  readonly max_memory_bytes: number
  readonly max_answer_bytes: number
  readonly default_ttl_secs: number
  readonly response_header: boolean
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: {
      type: 'boolean',
      default: false,
      environment: 'SVC_CACHING_ENABLED',
      description: 'Adds the plugin to the list.',
    },
    backend: {
      type: 'string',
      enum: ['memory', 'kvstore'],
      default: 'memory',
      environment: 'SVC_CACHING_BACKEND',
      description: '`memory`: of each process of one machine. `kvstore`: Redis, shared by machines.',
    },
    kvstore_url: {
      type: 'string',
      minLength: 1,
      environment: 'SVC_KVSTORE_URL',
      description: 'Of `kvstore`: `redis://host:6379`, `rediss://…` for TLS. Required there.',
      examples: ['redis://localhost:6379'],
    },
    max_memory_entries: {
      type: 'integer',
      minimum: 1,
      default: 1000,
      description:
        'For `memory`: maximum number of cached responses of a process; the least recently used one is evicted first.',
    },
    max_memory_bytes: {
      type: 'integer',
      minimum: 1024,
      default: 67_108_864,
      description: 'Of `memory`: most bytes that a process keeps.',
    },
    max_answer_bytes: {
      type: 'integer',
      minimum: 1,
      default: 1_048_576,
      description: 'A longer answer is not kept.',
    },
    default_ttl_secs: {
      type: 'integer',
      minimum: 1,
      default: 60,
      description: 'Of queries with `cache = true` and no `cache_ttl`.',
    },
    response_header: {
      type: 'boolean',
      default: false,
      description: 'Say `X-Cache: HIT` or `MISS` in answers that may be kept.',
    },
  },
}
