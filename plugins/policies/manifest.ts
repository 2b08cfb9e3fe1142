import { KERNEL_API, type Manifest } from '../../core/index.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'policies',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Asks named policies who may call an operation and see a field: by roles, by rules, by functions.',
  after: ['scopes'],
  config: 'security',
  options,
  compile: './compile',
}
export default manifest
