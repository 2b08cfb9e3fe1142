import type { JsonSchema } from '../../core/doors/plugin.ts'

export const ALGORITHMS = ['chacha20-poly1305', 'aes-256-gcm'] as const

/** Options of the section `[security.state_encryption]`. */
export interface SealOptions {
  readonly enabled: boolean
  readonly algorithm: (typeof ALGORITHMS)[number]
  readonly key_source: 'env'
  readonly key_env: string
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    algorithm: {
      type: 'string',
      enum: [...ALGORITHMS],
      default: 'chacha20-poly1305',
      description: 'What states are encrypted with. Both also notice any change.',
    },
    key_source: {
      type: 'string',
      enum: ['env'],
      default: 'env',
      description: 'Where the key comes from: a variable of the environment.',
    },
    key_env: {
      type: 'string',
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      default: 'STATE_ENCRYPTION_KEY',
      description: 'Name of that variable. It holds 64 hexadecimal digits: `openssl rand -hex 32`.',
    },
  },
}
