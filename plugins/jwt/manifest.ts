import { KERNEL_API, type Manifest } from '../../core/index.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'jwt',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Verifies bearer tokens (JWT): with a secret, a public key, or the keys of OpenID providers.',
  provides: ['tokens'],
  config: 'security',
  options,
  doctor: './doctor',
}
export default manifest
