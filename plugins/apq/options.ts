import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[svc.apq]`. */
export interface ApqOptions {
  readonly enabled: boolean
  readonly cache_size: number
  readonly cache_bytes: number
  readonly kvstore_url?: string
  readonly ttl_secs: number
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: {
      type: 'boolean',
      default: false,
      environment: 'SVC_APQ_ENABLED',
      description: 'Adds the plugin to the list.',
    },
    cache_size: {
      type: 'integer',
      minimum: 1,
      default: 1000,
      description: 'Most documents that a process keeps; the one that was used longest ago goes.',
    },
    cache_bytes: {
      type: 'integer',
      minimum: 1024,
      default: 16_777_216,
      description: 'Most memory that they take, in bytes.',
    },
    kvstore_url: {
      type: 'string',
      minLength: 1,
      description: 'Keeps them in Redis too, for all machines: `redis://host:6379`, `rediss://…` for TLS.',
      examples: ['redis://localhost:6379'],
    },
    ttl_secs: {
      type: 'integer',
      minimum: 1,
      default: 86_400,
      description: 'With `kvstore_url`: a document stays there for so long after it was stored.',
    },
  },
}
