import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'middleware',
  version: '0.1.0',
  kernelApi: 1,
  description:
    'Runs the functions of the schema’s author: middleware around requests, hooks before and after mutations.',
  compile: './compile',
}
export default manifest
