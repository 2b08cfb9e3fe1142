import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'error-sanitization',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Tells clients nothing of how the service is made: internal errors have one text and an errorId.',
  config: 'security.error_sanitization',
  options,
}
export default manifest
