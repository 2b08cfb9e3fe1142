import type { Manifest } from '../../core/doors/plugin.ts'
import { WASM_PACKAGE } from './packages.ts'

const manifest: Manifest = {
  name: 'sqlite',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Driver for SQLite files (`sqlite:` URLs).',
  databaseSchemes: ['sqlite'],
  packages: [WASM_PACKAGE],
}
export default manifest
