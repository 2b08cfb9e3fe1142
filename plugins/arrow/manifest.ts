import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'
import { ARROW_PACKAGE } from './packages.ts'

const manifest: Manifest = {
  name: 'arrow',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Serves columnar queries (`@arrowQuery`) as Apache Arrow streams over HTTP.',
  config: 'arrow',
  options,
  packages: [ARROW_PACKAGE],
  schemaKeys: {
    check: './check-keys',
    faults: {
      dataplane: 'A columnar query or type has what only other fronts serve, or one of those leads to it.',
    },
    requiredBy: { type: { dataplane: { is: 'arrow' } }, query: { dataplane: { is: 'arrow' } } },
  },
}
export default manifest
