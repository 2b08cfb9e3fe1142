import { KERNEL_API, type Manifest } from '../../core/index.ts'

const manifest: Manifest = {
  name: 'graphiql',
  version: '0.1.0',
  kernelApi: KERNEL_API,
  description: 'A query editor in the browser, served from our own package.',
  dependencies: ['graphql'],
}
export default manifest
