import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[arrow]`, validated and with defaults. */
export interface ArrowOptions {
  readonly enabled: boolean
  readonly path: string
  readonly require_auth: boolean
  readonly max_concurrent: number
  readonly max_batch_rows: number
  readonly max_batch_bytes: number
}

export const options: JsonSchema = {
  type: 'object',
  description: 'The columnar transport.',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: true, description: 'Off: no columnar query is mounted.' },
    path: {
      type: 'string',
      pattern: '^(/[A-Za-z0-9._~-]+)+$',
      default: '/arrow/v1',
      description: 'Where the queries begin: `GET` and `POST {path}/{query}`.',
    },
    require_auth: {
      type: 'boolean',
      default: false,
      description: 'Refuse every request without a credential, whatever the query says.',
    },
    max_concurrent: {
      type: 'integer',
      minimum: 1,
      default: 8,
      description:
        'Streams at once, in one process. Each holds a connection of the pool as long as it is read; one more is 503.',
    },
    max_batch_rows: {
      type: 'integer',
      minimum: 1,
      maximum: 1_048_576,
      default: 16_384,
      description: 'Rows in one record batch, at most.',
    },
    max_batch_bytes: {
      type: 'integer',
      minimum: 4096,
      maximum: 268_435_456,
      default: 4_194_304,
      description: 'About so many bytes of values are in one record batch before it is sent.',
    },
  },
}
