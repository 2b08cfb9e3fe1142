import { KERNEL_API, type Manifest } from '../../core/index.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'state-encryption',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Encrypts what a login leaves in the hands of others: the state of OAuth, and sessions in a store.',
  provides: ['seal'],
  config: 'security.state_encryption',
  options,
}
export default manifest
