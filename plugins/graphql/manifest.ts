import { KERNEL_API, type Manifest } from '../../core/index.ts'

const manifest: Manifest = {
  name: 'graphql',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Serves the schema as GraphQL at POST and GET /graphql.',
  after: ['admin'],
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
    },
  },
}

export default manifest
