import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'
import { SDK_PACKAGES } from './packages.ts'

const manifest: Manifest = {
  name: 'tracing',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Spans of requests, their stages and statements for OpenTelemetry, with W3C trace context in and out.',
  after: ['graphql'],
  provides: ['tracing'],
  config: 'tracing',
  options,
  packages: [SDK_PACKAGES],
  doctor: './doctor',
  metrics: {
    svc_tracing_spans_exported_total: { type: 'counter', help: 'Spans that the exporter has delivered.' },
    svc_tracing_spans_lost_total: { type: 'counter', help: 'Spans that the exporter could not deliver.' },
  },
}
export default manifest
