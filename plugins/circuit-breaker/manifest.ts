import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'circuit-breaker',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Answers at once for entities whose database keeps failing, and asks it again one request at a time.',
  // Shared reads and cached results do not reach the database.
  after: ['health', 'single-flight', 'response-cache', 'federation'],
  config: 'federation.circuit_breaker',
  options,
  codes: {
    CIRCUIT_BREAKER_OPEN: {
      status: 503,
      exposed: true,
      doc: "The entity's database failed too often in a row. svc tries again after `Retry-After`.",
    },
  },
  metrics: {
    svc_federation_circuit_breaker_state: {
      type: 'gauge',
      help: 'State of the circuit breaker of an entity: 0 = closed, 1 = open, 2 = half-open.',
      labels: ['entity'],
    },
    svc_federation_circuit_breaker_opens_total: {
      type: 'counter',
      help: 'How often the circuit breaker of an entity has opened.',
      labels: ['entity'],
    },
    svc_federation_circuit_breaker_rejections_total: {
      type: 'counter',
      help: 'Requests that were not let through to an entity, because its circuit breaker was open.',
      labels: ['entity'],
    },
  },
}
export default manifest
