import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'sse',
  version: '0.1.0',
  kernelApi: 1,
  description: 'GraphQL subscriptions, and changes of resources of REST, as server-sent events.',
  dependencies: ['graphql', 'subscriptions'],
  after: ['observers', 'rest'],
  config: 'sse',
  options,
}
export default manifest
