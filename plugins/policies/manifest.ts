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
    keys: [
      {
        place: 'field',
        after: 'relation',
        keys: {
          authorize: { type: 'string', minLength: 1, description: 'Named policy that decides about the field.' },
        },
      },
      {
        place: 'operation',
        after: 'requires_scope',
        keys: {
          requires_policy: {
            type: 'string',
            minLength: 1,
            description: 'Policy of `[[security.policies]]`, or rule, that decides who may call.',
          },
        },
      },
    ],
    requiredBy: { field: { authorize: 'set' }, operation: { requires_policy: 'set' } },
  },
}
export default manifest
