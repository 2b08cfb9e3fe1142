import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'graphql',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Serves the schema as GraphQL at POST and GET /graphql.',
  after: ['admin', 'rate-limiting'],
  provides: ['graphql'],
  sdl: './sdl',
  config: 'graphql',
  options: {
    type: 'object',
    description: 'The GraphQL endpoint.',
    additionalProperties: false,
    properties: {
      introspection: {
        type: 'boolean',
        default: true,
        description: 'Answer `__schema` and `__type`. Off: documents that ask for them fail validation.',
      },
      document_cache_bytes: {
        type: 'integer',
        minimum: 0,
        default: 33_554_432,
        description: 'Memory for documents that were parsed, validated and planned, in bytes, per schema generation.',
      },
      failed_document_cache_bytes: {
        type: 'integer',
        minimum: 0,
        default: 2_097_152,
        description: 'Memory for documents that failed, in bytes. Their own cache: they never evict good ones.',
      },
      max_batch: {
        type: 'integer',
        minimum: 0,
        maximum: 100,
        default: 0,
        description:
          'Requests that one body may carry as a JSON array. 0 refuses arrays. Each counts for rate limits, and their complexity together is held to `validation.max_query_complexity`.',
      },
      request_id_in_errors: {
        type: 'boolean',
        default: false,
        description:
          'Give each error the id of its request as `extensions.requestId`, beside the header `X-Request-Id`.',
      },
    },
  },
}

export default manifest
