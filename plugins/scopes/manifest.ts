import { KERNEL_API, type Manifest } from '../../core/index.ts'

const manifest: Manifest = {
  name: 'scopes',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Asks for the scopes, roles and API keys that operations, types and fields require.',
}
export default manifest
