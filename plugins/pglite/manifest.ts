import { KERNEL_API, type Manifest } from '../../core/index.ts'
import { EXTENSIONS } from './extensions.ts'

const manifest: Manifest = {
  name: 'pglite',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Driver for the embedded PostgreSQL that runs in this process (`pglite:` URLs).',
  databaseSchemes: ['pglite'],
  config: 'pglite',
  options: {
    type: 'object',
    description: 'The embedded database.',
    additionalProperties: false,
    properties: {
      extensions: {
        type: 'array',
        items: { type: 'string', enum: EXTENSIONS },
        default: [],
        description:
          'Extensions that its scripts may create (`CREATE EXTENSION`). Each takes time and memory at start.',
      },
    },
  },
}
export default manifest
