import type { Manifest } from '../../core/doors/plugin.ts'
import { BUS_PACKAGES } from './bus/bus-packages.ts'
import { options } from './options.ts'
import { MAIL_PACKAGE } from './outgoing/mail-package.ts'
import { DELIVERIES, OUTBOX, RELAY } from './sql/tables.ts'

const manifest: Manifest = {
  name: 'observers',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Acts on committed changes: webhooks, messages to a chat, functions of the database.',
  after: ['health', 'tracing'],
  provides: ['events'],
  config: 'observers',
  options,
  doctor: './doctor',
  compile: './compile',
  tables: [OUTBOX, RELAY, DELIVERIES],
  packages: [...Object.values(BUS_PACKAGES), MAIL_PACKAGE],
  metrics: {
    svc_observer_events_processed_total: { type: 'counter', help: 'Events that were taken care of.' },
    svc_observer_events_failed_total: {
      type: 'counter',
      help: 'Events that could not be taken care of, and come again.',
    },
    svc_observer_events_dropped_total: { type: 'counter', help: 'Events of the backend in-memory that were lost.' },
    svc_observer_action_executed_total: {
      type: 'counter',
      help: 'Attempts of actions.',
      labels: ['action_type'],
    },
    svc_observer_action_errors_total: {
      type: 'counter',
      help: 'Attempts of actions that failed.',
      labels: ['action_type'],
    },
    svc_observer_action_retries_total: {
      type: 'counter',
      help: 'Attempts of actions that failed and may be made again.',
      labels: ['action_type'],
    },
    svc_observer_action_duration_seconds: {
      type: 'histogram',
      help: 'How long an attempt took.',
      labels: ['action_type'],
    },
    svc_observer_waiting_items: { type: 'gauge', help: 'Actions that wait for another attempt.' },
    svc_observer_dlq_items: { type: 'gauge', help: 'Dead letters.' },
    svc_observer_dlq_overflow_total: {
      type: 'counter',
      help: 'Dead letters that were dropped because there were too many.',
    },
    svc_webhook_requests_total: { type: 'counter', help: 'Attempts of webhooks.' },
    svc_webhook_success_total: { type: 'counter', help: 'Attempts of webhooks that were answered with 2xx.' },
    svc_webhook_failure_total: { type: 'counter', help: 'Attempts of webhooks that failed.' },
    svc_webhook_retry_total: { type: 'counter', help: 'Attempts of webhooks that failed and may be made again.' },
    svc_webhook_latency_ms: {
      type: 'histogram',
      help: 'How long an attempt of a webhook took, in milliseconds.',
      buckets: [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000],
    },
    svc_webhook_dlq_size: { type: 'gauge', help: 'Dead letters of webhooks.' },
    svc_observer_pending_events: { type: 'gauge', help: 'Committed events that are not taken care of.' },
    svc_observer_lag_seconds: {
      type: 'gauge',
      help: 'How long the oldest of them has waited. Grows while the backend cannot be reached.',
    },
    svc_observer_backend_up: { type: 'gauge', help: '1: the backend can be reached.' },
  },
  commands: [
    {
      name: 'events',
      summary: 'Look at the delivery of events, and at dead letters.',
      description: 'Works with all backends except "in-memory", whose events are visible only to their process.',
      arguments: [
        { name: 'ACTION', required: true, description: 'status, dead or triggers' },
        {
          name: 'WHAT',
          description: 'Of `dead`: list, show, retry, retry-all or drop. Of `triggers`: the type of the schema.',
        },
        { name: 'ID', description: 'Of `dead show`, `retry` and `drop`: the letter. Of `triggers`: its table.' },
      ],
      json: true,
      options: [
        {
          name: 'key',
          type: 'string',
          value: 'COLUMN',
          description: 'Of `triggers`: the column with the id. Default: id.',
        },
        { name: 'limit', type: 'string', value: 'N', description: 'Of `dead list`: at most so many. Default: 50.' },
      ],
      examples: [
        'svc events status',
        'svc events dead list',
        'svc events dead retry 42',
        'svc events triggers User tb_user',
      ],
      module: './command',
    },
  ],
  schemaKeys: { requiredBy: { schema: { observers: 'filled' } } },
}
export default manifest
