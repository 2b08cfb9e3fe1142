import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'graphiql',
  version: '0.1.0',
  kernelApi: 1,
  description: 'A query editor in the browser, served from our own package. Off where NODE_ENV is production.',
  dependencies: ['graphql'],
  after: ['subscriptions'],
  provides: ['editor'],
  config: 'svc.graphiql',
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      default_query: {
        type: 'string',
        description:
          'Query that the editor shows a first-time visitor. Default: the first rows of the first list of the schema.',
        examples: ['{ artists(limit: 3) { name } }'],
      },
    },
  },
}
export default manifest
