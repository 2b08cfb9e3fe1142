import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'apq',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Automatic persisted queries: clients send the hash of a document that the service has seen before.',
  dependencies: ['graphql'],
  after: ['admin', 'health'],
  config: 'svc.apq',
  options,
  metrics: {
    svc_apq_hits_total: { type: 'counter', help: 'Requests whose document was found by its hash.' },
    svc_apq_misses_total: { type: 'counter', help: 'Requests whose hash was not known.' },
    svc_apq_stored_total: { type: 'counter', help: 'Documents that were stored.' },
  },
}
export default manifest
