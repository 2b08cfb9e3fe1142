import { KERNEL_API, type Manifest } from '../../core/index.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'csrf-prevention',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Refuses what a page of another site can make a browser send without asking.',
  after: ['cors'],
  config: 'security.csrf_prevention',
  options,
}
export default manifest
