import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'policies',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Asks named policies who may call an operation and see a field: by roles, by rules, by functions.',
  after: ['scopes'],
  config: 'security',
  options,
  compile: './compile',
  schemaKeys: {
    requiredBy: { field: { authorize: 'set' }, operation: { requires_policy: 'set' } },
  },
}
export default manifest
