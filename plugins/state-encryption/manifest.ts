import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'state-encryption',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Encrypts what a login leaves in the hands of others: the state of OAuth, and sessions in a store.',
  provides: ['seal'],
  config: 'security.state_encryption',
  options,
}
export default manifest
