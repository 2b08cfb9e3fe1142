import { KERNEL_API, type Manifest } from '../../core/index.ts'

const manifest: Manifest = {
  name: 'graphql',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'The GraphQL front: POST and GET.',
}
export default manifest
