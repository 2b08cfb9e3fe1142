import { KERNEL_API, type Manifest } from '../../core/index.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'arrow',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'Serves columnar queries (`@arrowQuery`) as Apache Arrow streams over HTTP.',
  config: 'arrow',
  options,
}
export default manifest
