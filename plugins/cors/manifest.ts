import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'cors',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Cross-origin requests: answers preflights and marks responses for the allowed origins.',
  provides: ['cors'],
  config: 'server.cors',
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      origins: {
        type: 'array',
        items: { type: 'string' },
        default: [],
        description: 'Allowed origins, for example `https://app.example.com`. Empty = all origins.',
      },
      credentials: {
        type: 'boolean',
        default: false,
        description: 'Allow cookies and authorization headers of browsers. Needs `origins` to be set.',
      },
    },
  },
}
export default manifest
