import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[security.token_revocation]`. */
export interface RevocationOptions {
  readonly enabled: boolean
  readonly backend?: 'kvstore' | 'sqldb'
  readonly kvstore_url?: string
  readonly require_jti: boolean
  readonly fail_open: boolean
  readonly recheck_secs: number
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    backend: {
      type: 'string',
      enum: ['kvstore', 'sqldb'],
      description: 'Where it is kept what was revoked: Redis, or tables of the database. Required.',
      examples: ['sqldb'],
    },
    kvstore_url: {
      type: 'string',
      minLength: 1,
      description: 'Of `kvstore`: `redis://host:6379`, `rediss://…` for TLS.',
      examples: ['redis://localhost:6379'],
    },
    require_jti: {
      type: 'boolean',
      default: false,
      description: 'Refuse tokens without `jti`, which cannot be revoked one by one.',
    },
    fail_open: {
      type: 'boolean',
      default: false,
      description: 'Let tokens in while the store cannot be reached. Off: 503.',
    },
    recheck_secs: {
      type: 'integer',
      minimum: 0,
      maximum: 300,
      default: 0,
      description:
        'A token is asked for again after so many seconds; until then one that another machine revoked goes on working. 0 = on each request.',
    },
  },
}
