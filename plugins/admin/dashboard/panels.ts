import { type Panel, quantile, rate } from './panel.ts'

const REQUESTS = 'svc_http_requests_total'
const DURATION = 'svc_http_request_duration_seconds'
const OPERATIONS = `(${rate('svc_graphql_queries_total')} + ${rate('svc_graphql_mutations_total')})`
const CACHE_HITS = rate('svc_cache_hits_total')
const CACHE_MISSES = rate('svc_cache_misses_total')
const APQ_HITS = rate('svc_apq_hits_total')
const APQ_MISSES = rate('svc_apq_misses_total')

/** Panels that the Grafana dashboard shows at its top. A test checks that svc exposes every metric in them. */
export const PANELS: readonly Panel[] = [
  {
    title: 'Requests per second',
    description: 'HTTP requests that were answered, by status.',
    unit: 'reqps',
    queries: [{ expr: rate(REQUESTS, 'status'), legend: '{{status}}' }],
  },
  {
    title: 'Latency',
    description: 'From the head of a request to its reply: half, 95 and 99 of a hundred are not slower.',
    unit: 's',
    queries: [
      { expr: quantile(0.5, DURATION), legend: 'p50' },
      { expr: quantile(0.95, DURATION), legend: 'p95' },
      { expr: quantile(0.99, DURATION), legend: 'p99' },
    ],
  },
  {
    title: 'Error rate',
    description: 'Share of requests that were answered 5xx, and entries of "errors" in GraphQL answers by their code.',
    unit: 'percentunit',
    queries: [
      { expr: `sum (rate(${REQUESTS}{status=~"5.."}[$__rate_interval])) / ${rate(REQUESTS)}`, legend: '5xx' },
      {
        expr: `${rate('svc_graphql_errors_total', 'code')} / ignoring(code) group_left () ${OPERATIONS}`,
        legend: '{{code}}',
      },
    ],
  },
  {
    title: 'Cache hit ratio',
    description:
      'Share of cacheable queries that were answered from the cache, and of persisted-query requests whose document was known.',
    unit: 'percentunit',
    queries: [
      { expr: `${CACHE_HITS} / (${CACHE_HITS} + ${CACHE_MISSES})`, legend: 'answers' },
      { expr: `${APQ_HITS} / (${APQ_HITS} + ${APQ_MISSES})`, legend: 'persisted queries' },
    ],
  },
  {
    title: 'Cache hits and misses',
    description: 'Cached responses, and documents that were requested by hash.',
    unit: 'reqps',
    queries: [
      { expr: CACHE_HITS, legend: 'answers: hits' },
      { expr: CACHE_MISSES, legend: 'answers: misses' },
      { expr: APQ_HITS, legend: 'persisted queries: hits' },
      { expr: APQ_MISSES, legend: 'persisted queries: misses' },
      { expr: rate('svc_trusted_documents_hits_total'), legend: 'trusted documents: hits' },
      { expr: rate('svc_trusted_documents_misses_total'), legend: 'trusted documents: misses' },
    ],
  },
  {
    title: 'Persisted queries stored',
    description: 'Documents that clients registered. Many, all the time: clients send texts that they build anew.',
    unit: 'ops',
    queries: [{ expr: rate('svc_apq_stored_total'), legend: 'stored' }],
  },
  {
    title: 'Database connections',
    description: 'Open connections, by whether they run something.',
    unit: 'short',
    queries: [
      { expr: 'sum (svc_db_pool_connections_active)', legend: 'active' },
      { expr: 'sum (svc_db_pool_connections_idle)', legend: 'idle' },
    ],
  },
  {
    title: 'Statements waiting',
    description:
      'Statements that wait for a connection. More than none for long: the pool is too small, or statements are slow.',
    unit: 'short',
    queries: [{ expr: 'sum (svc_db_pool_requests_waiting)', legend: 'waiting' }],
  },
  {
    title: 'Pool pressure',
    description: 'Share of the connections that may be open which run something.',
    unit: 'percentunit',
    queries: [
      { expr: 'sum (svc_db_pool_connections_active) / sum (svc_db_pool_connections_max)', legend: 'active of allowed' },
    ],
  },
  {
    title: 'Multi-root operations',
    description: 'Share of the operations that have several roots.',
    unit: 'percentunit',
    queries: [{ expr: `${rate('svc_multi_root_queries_total')} / ${OPERATIONS}`, legend: 'several roots' }],
  },
  {
    title: 'Pool size: allowed and open',
    description: 'Connections that may be open (database.pool_max) next to those that are.',
    unit: 'short',
    queries: [
      { expr: 'sum (svc_db_pool_connections_max)', legend: 'allowed' },
      { expr: 'sum (svc_db_pool_connections_total)', legend: 'open' },
    ],
  },
  {
    title: 'Database errors',
    description: 'Operations, or roots of them, that failed because of the database, by code.',
    unit: 'ops',
    queries: [{ expr: rate('svc_db_errors_total', 'code'), legend: '{{code}}' }],
  },
]
