import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'compression',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Compresses answers for clients that take them so.',
  // Replies and headers of these plugins are not compressed.
  after: ['cors', 'security-headers', 'csrf-prevention', 'rate-limiting'],
  config: 'server.compression',
  options,
}
export default manifest
