import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'metrics',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Counts requests, operations and connections, and shows them to Prometheus at /metrics.',
  after: ['tracing'],
  config: 'metrics',
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      token: {
        type: 'string',
        default: '',
        writeOnly: true,
        description: 'Who asks for `/metrics` has to send it as a bearer token. Empty = everybody may ask.',
      },
    },
  },
}
export default manifest
