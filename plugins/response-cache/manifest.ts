import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'
import { schemaKeys } from './schema-keys.ts'

const manifest: Manifest = {
  name: 'response-cache',
  version: '0.1.0',
  kernelApi: 1,
  description:
    'Keeps answers of queries that have a cache_ttl, until they end or something that they were read from is written.',
  after: ['admin', 'graphql', 'health'],
  provides: ['responseCache'],
  config: 'svc.caching',
  options,
  doctor: './doctor',
  metrics: {
    svc_cache_hits_total: { type: 'counter', help: 'Queries that were answered from the response cache.' },
    svc_cache_misses_total: { type: 'counter', help: 'Queries that may be kept and were not there.' },
    svc_cache_invalidations_total: { type: 'counter', help: 'Writes after which kept answers were let go.' },
    svc_cache_evictions_total: { type: 'counter', help: 'Answers that were let go for want of room.' },
    svc_cache_hit_ratio: {
      type: 'gauge',
      help: 'Share of the queries that may be kept which were there, since the start.',
    },
  },
  schemaKeys,
}
export default manifest
