import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'admin',
  version: '0.1.0',
  kernelApi: 1,
  description:
    'Lets operators load a schema, look at caches and configuration, and fetch a dashboard, at /api/v1/admin.',
  // Rate limits apply first, by the address of the client instead of the proxy.
  after: ['rate-limiting'],
  provides: ['admin'],
  config: 'server.admin',
  options,
  aliases: {
    'server.admin_api_enabled': 'enabled',
    'server.admin_token': 'token',
    'server.admin_readonly_token': 'readonly_token',
  },
  metrics: {
    svc_admin_refused_total: {
      type: 'counter',
      help: 'Requests of the admin API that were refused, by why: missing, invalid, readonly, locked_out.',
      labels: ['reason'],
    },
  },
}
export default manifest
