import { KERNEL_API, type Manifest } from '../../core/index.ts'

const manifest: Manifest = {
  name: 'pglite',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Runs the embedded PostgreSQL (PGlite) in this process.',
  databaseSchemes: ['pglite'],
}
export default manifest
