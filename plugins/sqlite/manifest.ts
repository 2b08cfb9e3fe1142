import { KERNEL_API, type Manifest } from '../../core/index.ts'

const manifest: Manifest = {
  name: 'sqlite',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Driver for SQLite files (`sqlite:` URLs).',
  databaseSchemes: ['sqlite'],
}
export default manifest
