import { KERNEL_API, type Manifest } from '../../core/index.ts'

const manifest: Manifest = {
  name: 'pglite',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Driver for the embedded PostgreSQL that runs in this process (`pglite:` URLs).',
  databaseSchemes: ['pglite'],
}
export default manifest
