import { KERNEL_API, type Manifest } from '../../core/index.ts'

const manifest: Manifest = {
  name: 'health',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Probes: /health, /health/live, /health/ready and their aliases.',
  provides: ['health'],
}
export default manifest
