import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'subscriptions',
  version: '0.1.0',
  kernelApi: 1,
  description: 'GraphQL subscriptions over WebSocket: clients hear of committed changes as they may see them.',
  dependencies: ['graphql'],
  after: ['observers', 'jwt', 'token-revocation', 'api-keys', 'oauth', 'cors', 'csrf-prevention'],
  provides: ['subscriptions'],
  config: 'subscriptions',
  options,
  compile: './compile',
  metrics: {
    svc_subscriptions_active: { type: 'gauge', help: 'Subscriptions that are open, over WebSocket and SSE.' },
    svc_subscriptions_connections: { type: 'gauge', help: 'Connections that subscriptions come over.' },
    svc_subscriptions_events_total: { type: 'counter', help: 'Events that were sent to subscribers.' },
    svc_subscriptions_reads_total: {
      type: 'counter',
      help: 'Reads of rows for subscribers; one serves all who may share it.',
    },
    svc_subscriptions_lost_total: {
      type: 'counter',
      help: 'Subscriptions that ended because they were too slow, or events were not kept.',
    },
    svc_subscriptions_withheld_total: {
      type: 'counter',
      help: 'Deleted rows that were not sent, because it is unknown which subscribers were allowed to see them.',
    },
    svc_subscriptions_superseded_total: {
      type: 'counter',
      help: 'Rows that were not sent, because they had changed again and no longer matched the subscription.',
    },
    svc_subscriptions_latency_ms: {
      type: 'histogram',
      help: 'From the call of the function that wrote to the message for the subscriber, in milliseconds.',
      buckets: [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000],
    },
    svc_ws_connections_total: {
      type: 'counter',
      help: 'WebSocket connections: accepted, refused.',
      labels: ['result'],
    },
    svc_ws_subscriptions_total: {
      type: 'counter',
      help: 'Subscriptions requested over WebSocket: accepted, refused.',
      labels: ['result'],
    },
  },
  schemaKeys: { requiredBy: { schema: { subscriptions: 'filled' } } },
}
export default manifest
