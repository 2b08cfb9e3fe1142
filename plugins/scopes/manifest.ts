import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'scopes',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Asks for the scopes, roles and API keys that operations, types and fields require.',
}
export default manifest
