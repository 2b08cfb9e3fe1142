import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'postgres',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Driver for PostgreSQL servers (`postgres:` and `postgresql:` URLs).',
  databaseSchemes: ['postgres', 'postgresql'],
}
export default manifest
