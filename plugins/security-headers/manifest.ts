import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'security-headers',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Tells browsers how carefully to treat every answer: no sniffing, no frames, no scripts, HTTPS.',
  before: ['cors'],
  config: 'security.headers',
  options,
}
export default manifest
