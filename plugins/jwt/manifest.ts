import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'jwt',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Verifies bearer tokens (JWT): with a secret, a public key, or the keys of OpenID providers.',
  provides: ['tokens'],
  config: 'security',
  options,
  doctor: './doctor',
  schemaKeys: { requiredBy: { type: { inject: 'filled' }, operation: { inject: 'filled' } } },
}
export default manifest
