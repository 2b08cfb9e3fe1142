import { type PanelRow, quantile, rate } from './panel.ts'

const ACTIONS = 'svc_observer_action_duration_seconds'
const WEBHOOKS = 'svc_webhook_latency_ms'
const DELIVERY = 'svc_subscriptions_latency_ms'

/** Collapsed rows of the Grafana dashboard about work after a write: observers, their actions, and subscribers. */
export const EVENT_ROWS: readonly PanelRow[] = [
  {
    title: 'Events',
    panels: [
      {
        title: 'Lag',
        description: 'How long the oldest committed event has waited.',
        unit: 's',
        queries: [{ expr: 'max (svc_observer_lag_seconds)', legend: 'oldest' }],
      },
      {
        title: 'Waiting',
        description:
          'Events that are not taken care of, actions that wait for another attempt, dead letters, and whether the backend is there.',
        unit: 'short',
        queries: [
          { expr: 'max (svc_observer_pending_events)', legend: 'events' },
          { expr: 'max (svc_observer_waiting_items)', legend: 'actions' },
          { expr: 'max (svc_observer_dlq_items)', legend: 'dead letters' },
          { expr: 'max (svc_webhook_dlq_size)', legend: 'dead letters of webhooks' },
          { expr: 'min (svc_observer_backend_up)', legend: 'backend up' },
        ],
      },
      {
        title: 'Events per second',
        description:
          'Taken care of, failed and to come again, lost by the backend in-memory, dead letters dropped for want of room.',
        unit: 'ops',
        queries: [
          { expr: rate('svc_observer_events_processed_total'), legend: 'done' },
          { expr: rate('svc_observer_events_failed_total'), legend: 'failed' },
          { expr: rate('svc_observer_events_dropped_total'), legend: 'lost' },
          { expr: rate('svc_observer_dlq_overflow_total'), legend: 'dead letters dropped' },
        ],
      },
      {
        title: 'Actions',
        description: 'Attempts by kind, and those that failed.',
        unit: 'ops',
        queries: [
          { expr: rate('svc_observer_action_executed_total', 'action_type'), legend: '{{action_type}}' },
          { expr: rate('svc_observer_action_errors_total', 'action_type'), legend: '{{action_type}} failed' },
          { expr: rate('svc_observer_action_retries_total', 'action_type'), legend: '{{action_type}} again' },
        ],
      },
      {
        title: 'Actions: duration',
        description: '95 of a hundred attempts are not slower.',
        unit: 's',
        queries: [{ expr: quantile(0.95, ACTIONS, 'action_type'), legend: '{{action_type}} p95' }],
      },
      {
        title: 'Webhooks',
        description: 'Attempts of webhooks, answered with 2xx, failed, to be made again.',
        unit: 'ops',
        queries: [
          { expr: rate('svc_webhook_requests_total'), legend: 'attempts' },
          { expr: rate('svc_webhook_success_total'), legend: 'succeeded' },
          { expr: rate('svc_webhook_failure_total'), legend: 'failed' },
          { expr: rate('svc_webhook_retry_total'), legend: 'again' },
        ],
      },
      {
        title: 'Webhooks: duration',
        description: 'Half, and 95 of a hundred attempts, are not slower.',
        unit: 'ms',
        queries: [
          { expr: quantile(0.5, WEBHOOKS), legend: 'p50' },
          { expr: quantile(0.95, WEBHOOKS), legend: 'p95' },
        ],
      },
    ],
  },
  {
    title: 'Subscriptions',
    panels: [
      {
        title: 'Subscribers',
        description: 'Subscriptions that are open, and the connections that they come over.',
        unit: 'short',
        queries: [
          { expr: 'sum (svc_subscriptions_active)', legend: 'subscriptions' },
          { expr: 'sum (svc_subscriptions_connections)', legend: 'connections' },
        ],
      },
      {
        title: 'Events to subscribers',
        description: 'Events that were sent, and reads of rows for them: one read serves all who may share it.',
        unit: 'ops',
        queries: [
          { expr: rate('svc_subscriptions_events_total'), legend: 'sent' },
          { expr: rate('svc_subscriptions_reads_total'), legend: 'reads' },
        ],
      },
      {
        title: 'From write to subscriber',
        description: 'Half, and 95 of a hundred events, are not slower.',
        unit: 'ms',
        queries: [
          { expr: quantile(0.5, DELIVERY), legend: 'p50' },
          { expr: quantile(0.95, DELIVERY), legend: 'p95' },
        ],
      },
      {
        title: 'Not sent',
        description:
          'Subscriptions that ended because they were too slow; deleted rows that no subscriber may see; rows that had changed again.',
        unit: 'ops',
        queries: [
          { expr: rate('svc_subscriptions_lost_total'), legend: 'lost subscriptions' },
          { expr: rate('svc_subscriptions_withheld_total'), legend: 'withheld' },
          { expr: rate('svc_subscriptions_superseded_total'), legend: 'superseded' },
        ],
      },
      {
        title: 'WebSocket: accepted and refused',
        description: 'Connections, and subscriptions requested over them.',
        unit: 'ops',
        queries: [
          { expr: rate('svc_ws_connections_total', 'result'), legend: 'connections {{result}}' },
          { expr: rate('svc_ws_subscriptions_total', 'result'), legend: 'subscriptions {{result}}' },
        ],
      },
    ],
  },
]
