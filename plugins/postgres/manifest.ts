import { KERNEL_API, type Manifest } from '../../core/index.ts'

const manifest: Manifest = {
  name: 'postgres',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Driver for PostgreSQL servers (`postgres:` and `postgresql:` URLs).',
  databaseSchemes: ['postgres', 'postgresql'],
}
export default manifest
