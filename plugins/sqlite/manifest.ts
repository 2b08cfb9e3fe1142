import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'sqlite',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Driver for SQLite files (`sqlite:` URLs).',
  databaseSchemes: ['sqlite'],
}
export default manifest
