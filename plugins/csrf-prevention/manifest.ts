import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'csrf-prevention',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Refuses what a page of another site can make a browser send without asking.',
  after: ['cors'],
  config: 'security.csrf_prevention',
  options,
}
export default manifest
