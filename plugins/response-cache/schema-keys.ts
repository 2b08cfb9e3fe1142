import type { PluginKeys } from '../../core/doors/schema-keys.ts'

declare module '../../core/doors/schema-keys.ts' {
  interface QueryKeys {
    readonly cache_ttl?: number
    readonly cache?: boolean
  }
  interface MutationKeys {
    readonly invalidates?: readonly string[]
    readonly cache_update?: boolean
  }

  interface QueryKeyOptions {
    /** How long results may be cached, in seconds. */
    readonly cacheTtl?: number
    readonly cache?: boolean
  }
  interface MutationKeyOptions {
    /** Views that the mutation changes. Cached results that read them are removed. */
    readonly invalidates?: readonly string[]
    readonly cacheUpdate?: boolean
  }
}

/**
 * Keys of `schema.json` that belong to the response cache: `cache_ttl` and `cache` of queries, `invalidates` and
 * `cache_update` of mutations.
 */
export const schemaKeys: PluginKeys = {
  operationAliases: { cache_ttl_seconds: 'cache_ttl', invalidates_views: 'invalidates' },
  viewLists: ['invalidates'],
  keys: [
    {
      place: 'query',
      // `dataplane` is a key, and no option of `query`.
      after: ['type_column', 'dataplane'],
      keys: {
        cache_ttl: { type: 'integer', minimum: 0, description: 'Seconds that an answer may come from the cache.' },
        cache: { type: 'boolean', description: 'Switches caching on or off.' },
      },
    },
    {
      place: 'mutation',
      after: 'call',
      keys: {
        invalidates: {
          type: 'array',
          items: { type: 'string' },
          description: 'Views whose cached answers are dropped.',
        },
        cache_update: { type: 'boolean', description: 'Refresh the cached entity.' },
      },
    },
  ],
}
