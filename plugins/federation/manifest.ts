import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

// A supergraph relies on each of these options.
const ON_TYPES = { key_fields: 'set', keys: 'set', resolvable: 'set', inaccessible: 'set', tags: 'set' } as const

const manifest: Manifest = {
  name: 'federation',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Serves the schema as a subgraph of Apollo Federation 2: `_service`, `_entities`.',
  dependencies: ['graphql'],
  config: 'federation',
  options,
  compile: './compile',
  sdl: './sdl',
  schemaKeys: {
    requiredBy: {
      interface: ON_TYPES,
      type: { ...ON_TYPES, extends: 'set', shareable: 'set', interface_object: 'set', directives: 'set' },
      field: {
        external: 'set',
        shareable: 'set',
        inaccessible: 'set',
        tags: 'set',
        override: 'set',
        override_label: 'set',
        provides: 'set',
        requires: 'set',
        sql: 'set',
      },
    },
  },
}
export default manifest
