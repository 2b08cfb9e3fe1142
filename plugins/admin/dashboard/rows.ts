import { ofSvc, type PanelRow, quantile, rate } from './panel.ts'

/** Collapsed rows of the Grafana dashboard about the process, the schema and plugins that are not always enabled. */
export const ROWS: readonly PanelRow[] = [
  {
    title: 'Process and schema',
    panels: [
      {
        title: 'Requests in flight',
        description: 'HTTP requests that are being answered.',
        unit: 'short',
        queries: [{ expr: 'sum (svc_http_requests_in_flight)', legend: 'in flight' }],
      },
      {
        title: 'Operations: latency',
        description: 'Planning and running an operation: 95 of a hundred are not slower.',
        unit: 's',
        queries: [
          {
            expr: quantile(0.95, 'svc_graphql_query_duration_seconds', 'operation_type'),
            legend: '{{operation_type}} p95',
          },
        ],
      },
      {
        title: 'Processor time',
        description: 'Seconds of processor time in a second, by instance: 1 is one processor that does nothing else.',
        unit: 'short',
        queries: [
          {
            expr: `sum by (instance) (${ofSvc('rate(process_cpu_seconds_total[$__rate_interval])')})`,
            legend: '{{instance}}',
          },
        ],
      },
      {
        title: 'Memory',
        description: 'Resident memory, by instance.',
        unit: 'bytes',
        queries: [{ expr: `sum by (instance) (${ofSvc('process_resident_memory_bytes')})`, legend: '{{instance}}' }],
      },
      {
        title: 'Key-value servers',
        description: 'Whether each answers (1) or not (0). Plugins refuse requests meanwhile, or go on without it.',
        unit: 'short',
        queries: [{ expr: 'min by (store) (svc_store_up)', legend: '{{store}}' }],
      },
      {
        title: 'Versions and age',
        description: 'Processes by version of svc, and how long the youngest has run.',
        unit: 'short',
        queries: [
          { expr: 'count by (version) (svc_build_info)', legend: '{{version}}' },
          { expr: `(time() - max (${ofSvc('process_start_time_seconds')})) / 3600`, legend: 'hours since a start' },
        ],
      },
      {
        title: 'Schema reloads',
        description: 'Schemas that were swapped in, and reloads that failed.',
        unit: 'short',
        queries: [
          { expr: 'sum (increase(svc_schema_reloads_total[$__rate_interval]))', legend: 'reloaded' },
          { expr: 'sum (increase(svc_schema_reload_errors_total[$__rate_interval]))', legend: 'failed' },
        ],
      },
      {
        title: 'Plans of statements',
        description: 'Decisions to plan a statement with its values, or once for any values.',
        unit: 'short',
        queries: [
          {
            expr: 'sum by (planning) (increase(svc_statement_plans_total[$__rate_interval]))',
            legend: '{{planning}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Caches and guards',
    panels: [
      {
        title: 'Kept answers let go',
        description: 'Writes after which answers were let go, and answers that had no room.',
        unit: 'ops',
        queries: [
          { expr: rate('svc_cache_invalidations_total'), legend: 'after writes' },
          { expr: rate('svc_cache_evictions_total'), legend: 'for want of room' },
        ],
      },
      {
        title: 'Refused',
        description:
          'Requests over a limit, tokens of the admin API, tokens that were revoked, documents that are not trusted.',
        unit: 'reqps',
        queries: [
          { expr: rate('svc_rate_limited_requests_total', 'limit'), legend: 'limit: {{limit}}' },
          { expr: rate('svc_admin_refused_total', 'reason'), legend: 'admin: {{reason}}' },
          { expr: rate('svc_jwt_replay_rejected_total'), legend: 'revoked token' },
          { expr: rate('svc_trusted_documents_rejected_total'), legend: 'document not trusted' },
        ],
      },
      {
        title: 'Failed look-ups of limits',
        description: 'Requests that were served uncounted, because the key-value store was away.',
        unit: 'reqps',
        queries: [{ expr: rate('svc_rate_limit_kvstore_errors_total'), legend: 'uncounted' }],
      },
      {
        title: 'Audit log',
        description: 'Events that were taken into the audit log, and those that were lost. None may be.',
        unit: 'ops',
        queries: [
          { expr: rate('audit_log_events_total'), legend: 'events' },
          { expr: rate('audit_log_lost_total'), legend: 'lost' },
        ],
      },
    ],
  },
  {
    title: 'Circuit breakers, agents, tracing',
    panels: [
      {
        title: 'Circuit breakers',
        description: 'By entity: 0 is closed, 1 open, 2 half-open.',
        unit: 'short',
        queries: [{ expr: 'max by (entity) (svc_federation_circuit_breaker_state)', legend: '{{entity}}' }],
      },
      {
        title: 'Circuit breakers: opened, held back',
        description: 'How often they opened, and requests that they did not let through.',
        unit: 'ops',
        queries: [
          { expr: rate('svc_federation_circuit_breaker_opens_total', 'entity'), legend: '{{entity}} opened' },
          { expr: rate('svc_federation_circuit_breaker_rejections_total', 'entity'), legend: '{{entity}} held back' },
        ],
      },
      {
        title: 'Tools of agents',
        description: 'Calls over MCP by tool, and those that failed.',
        unit: 'ops',
        queries: [
          { expr: rate('svc_mcp_tool_calls_total', 'tool'), legend: '{{tool}}' },
          { expr: rate('svc_mcp_tool_errors_total', 'tool'), legend: '{{tool}} failed' },
        ],
      },
      {
        title: 'Spans',
        description: 'Spans that the exporter delivered, and those that it could not.',
        unit: 'ops',
        queries: [
          { expr: rate('svc_tracing_spans_exported_total'), legend: 'delivered' },
          { expr: rate('svc_tracing_spans_lost_total'), legend: 'lost' },
        ],
      },
    ],
  },
]
