import type { JsonSchema } from '../../core/doors/plugin.ts'
import type { IdempotencyOptions } from './idempotency/open-once.ts'
import type { CachingOptions } from './reply/caching.ts'
import type { RouteOptions } from './routes/derive-routes.ts'
import type { WriteSettings } from './write/write-parts.ts'

/** Options of the section `[rest]`, validated and with defaults. */
export interface RestOptions extends RouteOptions, WriteSettings, CachingOptions, IdempotencyOptions {
  readonly enabled: boolean
  readonly path: string
  readonly require_auth: boolean
  readonly etag: boolean
}

const names = { type: 'array', items: { type: 'string' }, default: [] }

export const options: JsonSchema = {
  type: 'object',
  description: 'The REST transport.',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: true, description: 'Off: no REST route is mounted.' },
    path: {
      type: 'string',
      pattern: '^(/[A-Za-z0-9._~-]+)+$',
      default: '/rest/v1',
      description: 'Where the routes begin.',
    },
    require_auth: {
      type: 'boolean',
      default: false,
      description: 'Every route wants a credential, whatever the operation behind it wants.',
    },
    include: { ...names, description: 'Only these queries and mutations have routes. Empty: all have.' },
    exclude: { ...names, description: 'Queries and mutations without a route. Wins over `include`.' },
    default_page_size: {
      type: 'integer',
      minimum: 1,
      default: 20,
      description: 'Rows of a collection where the client gives no `limit`.',
    },
    max_page_size: {
      type: 'integer',
      minimum: 1,
      default: 100,
      description: 'A larger `limit` is read as this, which `meta.limit` tells.',
    },
    max_filter_bytes: { type: 'integer', minimum: 2, default: 4096, description: 'Bytes of a `filter`.' },
    max_embedding_depth: {
      type: 'integer',
      minimum: 0,
      default: 3,
      description: 'Levels of parentheses in a `select`.',
    },
    etag: { type: 'boolean', default: true, description: 'Send an `ETag` and answer `If-None-Match` with 304.' },
    default_cache_ttl: {
      type: 'integer',
      minimum: 0,
      default: 60,
      description: 'Seconds of `Cache-Control` for queries without a `cache_ttl`. 0: `no-cache`.',
    },
    delete_response: {
      enum: ['no_content', 'entity'],
      default: 'no_content',
      description: 'Answer DELETE with 204, or with 200 and the row that was deleted. `Prefer: return` overrides it.',
    },
    max_bulk_affected: {
      type: 'integer',
      minimum: 1,
      default: 1000,
      description: 'Rows that one request may write. `Prefer: max-affected` may lower it.',
    },
    ndjson_batch_size: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      default: 500,
      description: 'Rows that a stream reads at once, at most.',
    },
    idempotency_ttl_seconds: {
      type: 'integer',
      minimum: 1,
      maximum: 2_592_000,
      default: 86_400,
      description: 'So long the answer to a `POST` with an `Idempotency-Key` is repeated.',
    },
    idempotency_max_answer_bytes: {
      type: 'integer',
      minimum: 4096,
      maximum: 67_108_864,
      default: 1_048_576,
      description:
        'An answer to a `POST` with an `Idempotency-Key` that is larger is not stored: the answer to a repeat says that the write was committed.',
    },
    kvstore_url: {
      type: 'string',
      minLength: 1,
      description:
        'Where those answers are kept: `redis://host:6379`, `rediss://…` for TLS. Default: in this process, the last 10,000 of them in 64 MiB at most.',
      examples: ['redis://localhost:6379'],
    },
    cdn_max_age: {
      type: 'integer',
      minimum: 0,
      description: 'Seconds that shared caches keep public answers (`s-maxage`). Default: as everybody.',
    },
  },
}
