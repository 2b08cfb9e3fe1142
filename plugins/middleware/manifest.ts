import { KERNEL_API, type Manifest } from '../../core/index.ts'

const manifest: Manifest = {
  name: 'middleware',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description:
    'Runs the functions of the schema’s author: middleware around requests, hooks before and after mutations.',
  compile: './compile',
}
export default manifest
