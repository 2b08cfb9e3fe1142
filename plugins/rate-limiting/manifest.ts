import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'rate-limiting',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Bounds the requests of a client and of a user, the attempts to log in, and failed ones.',
  after: ['cors', 'health'],
  provides: ['clientAddress', 'rateLimits'],
  config: 'security.rate_limiting',
  options,
  aliases: {
    'security.enterprise.rate_limiting_enabled': 'enabled',
    'security.enterprise.auth_endpoint_max_requests': 'auth_endpoint_max_requests',
    'security.enterprise.auth_endpoint_window_seconds': 'auth_endpoint_window_secs',
  },
  metrics: {
    svc_rate_limited_requests_total: {
      type: 'counter',
      help: 'Requests that were answered 429, by what was exceeded: ip, user, login (the windows of /auth/…), lockout.',
      labels: ['limit'],
    },
    svc_rate_limit_kvstore_errors_total: {
      type: 'counter',
      help: 'Requests whose limit could not be asked for, because the key-value store was away.',
    },
  },
}
export default manifest
