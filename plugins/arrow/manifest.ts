import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'arrow',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Serves columnar queries (`@arrowQuery`) as Apache Arrow streams over HTTP.',
  config: 'arrow',
  options,
  schemaKeys: {
    check: './check-keys',
    faults: {
      dataplane: 'A columnar query or type has what only other fronts serve, or one of those leads to it.',
    },
    keys: [
      {
        place: 'type',
        after: 'database',
        keys: { dataplane: { enum: ['graphql', 'arrow'], description: 'Transport that the type is made for.' } },
      },
      {
        place: 'query',
        after: 'type_column',
        keys: {
          dataplane: {
            enum: ['graphql', 'arrow'],
            description: '`arrow`: a query of the columnar transport, which no other front serves.',
          },
        },
      },
    ],
    requiredBy: { type: { dataplane: { is: 'arrow' } }, query: { dataplane: { is: 'arrow' } } },
  },
}
export default manifest
