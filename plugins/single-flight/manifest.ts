import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'single-flight',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Identical reads of one caller that are in flight at the same time share one statement.',
  config: 'svc.single_flight',
  options: { type: 'object', additionalProperties: false, properties: {} },
}
export default manifest
