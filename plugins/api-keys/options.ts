import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[security.api_keys]`. */
export interface ApiKeyOptions {
  readonly enabled: boolean
  readonly header: string
  readonly hash_algorithm: 'sha256' | 'argon2'
  readonly storage: 'sqldb' | 'env'
  readonly static: readonly StaticKey[]
  readonly recheck_secs: number
}

export interface StaticKey {
  readonly name: string
  readonly key_hash: string
  readonly scopes: readonly string[]
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    header: {
      type: 'string',
      default: 'X-API-Key',
      pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
      description: 'Header that the key is read from.',
    },
    hash_algorithm: {
      type: 'string',
      enum: ['sha256', 'argon2'],
      default: 'sha256',
      description: 'How `svc keys create` hashes new keys. Keys of both kinds are verified.',
    },
    storage: {
      type: 'string',
      enum: ['sqldb', 'env'],
      default: 'sqldb',
      description: 'Where keys are: in the table `svc_api_keys`, or under `static`, for tests and CI only.',
    },
    static: {
      type: 'array',
      default: [],
      maxItems: 100,
      description: 'Of `env`: keys by `name`, `key_hash` (`svc keys create` prints it) and `scopes`.',
      examples: [[{ name: 'ci', key_hash: 'sha256:…', scopes: ['read:*'] }]],
      items: {
        type: 'object',
        required: ['name', 'key_hash', 'scopes'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', minLength: 1, description: 'Shown as `apikey:<name>`.' },
          key_hash: {
            type: 'string',
            minLength: 1,
            writeOnly: true,
            description: '`sha256:<hex>` or a PHC text of argon2.',
          },
          scopes: { type: 'array', items: { type: 'string', minLength: 1 }, description: 'What it may do.' },
        },
      },
    },
    recheck_secs: {
      type: 'integer',
      minimum: 0,
      maximum: 300,
      default: 0,
      description:
        'A key that was found is asked for again after so many seconds; until then one that was revoked goes on working. 0 = on each request.',
    },
  },
}
