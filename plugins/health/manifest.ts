import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'health',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Probes: /health, /health/live, /health/ready and their aliases.',
  provides: ['health'],
}
export default manifest
