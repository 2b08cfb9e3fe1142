import type { InjectRequest } from '../../core/service/http/inject.ts'
import { ADMIN_TOKEN } from '../plugins/admin/matrix.ts'
import { bearer, withClaims } from './matrix/tokens.ts'

/** An answer of a front to one request. */
export interface WholeAnswer {
  readonly ask: InjectRequest
  readonly status: number
  /** Beside those that every answer has. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
/** Of every answer. */
export const EVERY = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}
const NO_STORE = { 'cache-control': 'no-store' }
const CALLERS = 'Authorization, X-API-Key, Cookie'
const BY_CALLER = { vary: CALLERS }
const USER = { 'x-ratelimit-limit': '100000', 'x-ratelimit-remaining': '1999999999' }
const ADDRESS = { 'x-ratelimit-limit': '0.001', 'x-ratelimit-remaining': '19' }
const ETAG = { etag: 'W/"…"' }
const CHALLENGE = { 'www-authenticate': 'Bearer' }

const QUERY = '{ secret0(id: "one-0") { id note } }'
const ROW = { id: 'one-0', note: null }
const REFUSED = [{ message: 'Authentication required', extensions: { code: 'UNAUTHENTICATED', statusCode: 401 } }]
const search = (path: string) => `${path}?query=${encodeURIComponent(QUERY)}`
/** With claims that no answer may tell. */
const { headers } = withClaims({ scope: '*', internal: 'secret', email: 'ann@example.org', name: 'Ann' })
const SSE = { accept: 'text/event-stream' }
const event = (body: unknown) => `event: next\ndata: ${JSON.stringify(body)}\n\nevent: complete\ndata: \n\n`
const rpc = (method: string, params: object): InjectRequest => ({
  method: 'POST',
  url: '/mcp',
  headers: { ...headers, 'mcp-protocol-version': '2025-11-25' },
  body: { jsonrpc: '2.0', id: 1, method, params },
})
const refusal = (code: string, message: string) => ({ code, message, details: {} })

const emptied = (cache: string) => ({ cache, configured: true, entries_cleared: 0, note: null })
const DATABASE = { connected: true, database_type: 'postgres', active_connections: '…', idle_connections: '…' }
const CHECKS = {
  observers: { ok: true, backend: 'sqldb', lag_seconds: '…', pending: 0, waiting: 0, dead_letters: 0 },
  cache: { ok: true, backend: 'memory', size: 0, max_size: 1000 },
  federation: { ok: true, subgraphs: [{ subgraph: 'Secret0', state: 'closed' }] },
}

/** As `preset = "full"` gives them in the service of the matrix. */
export const ANSWERS: Readonly<Record<string, WholeAnswer>> = {
  // While nothing has been asked.
  admin: {
    ask: { method: 'POST', url: '/api/v1/admin/cache/clear', headers: bearer(ADMIN_TOKEN), body: { scope: 'all' } },
    status: 200,
    headers: { ...JSON_TYPE, ...ADDRESS, ...NO_STORE },
    body: {
      status: 'success',
      data: {
        success: true,
        entries_cleared: 0,
        caches: ['query_plan', 'response', 'apq'].map(emptied),
        message: '0 entries were cleared.',
      },
    },
  },
  health: {
    ask: { url: '/health' },
    status: 200,
    headers: { ...JSON_TYPE, ...NO_STORE },
    body: {
      status: 'ok',
      version: '0.0.0-test',
      schema_hash: '…',
      uptime_seconds: '…',
      workers: { configured: 1, listening: 1 },
      database: { ...DATABASE, latency_ms: '…' },
      databases: { far: { ...DATABASE, latency_ms: '…' } },
      ...CHECKS,
      checks: CHECKS,
    },
  },
  'GraphQL POST': {
    ask: { method: 'POST', url: '/graphql', headers, body: { query: QUERY } },
    status: 200,
    headers: { ...JSON_TYPE, ...USER, ...NO_STORE },
    body: { data: { secret0: ROW } },
  },
  'GraphQL GET': {
    ask: { url: search('/graphql'), headers },
    status: 200,
    headers: { ...JSON_TYPE, ...USER, ...ETAG, 'cache-control': 'private, no-cache', vary: `${CALLERS}, Accept` },
    body: { data: { secret0: ROW } },
  },
  'GraphQL, of nobody': {
    ask: { method: 'POST', url: '/graphql', body: { query: QUERY } },
    status: 200,
    headers: { ...JSON_TYPE, ...ADDRESS, ...NO_STORE },
    body: { errors: REFUSED },
  },
  'GraphQL, that does not validate': {
    ask: { method: 'POST', url: '/graphql', headers, body: { query: '{ nothing }' } },
    status: 200,
    headers: { ...JSON_TYPE, ...USER, ...NO_STORE },
    body: {
      errors: [
        {
          message: 'Cannot query field "nothing" on type "Query".',
          locations: [{ line: 1, column: 3 }],
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED', statusCode: 400 },
        },
      ],
    },
  },
  'REST row': {
    ask: { url: '/rest/v1/secrets0/one-0?select=id,note', headers },
    status: 200,
    headers: {
      ...JSON_TYPE,
      ...USER,
      ...ETAG,
      'cache-control': 'private, max-age=600',
      vary: `${CALLERS}, Accept, Prefer`,
    },
    body: { data: ROW },
  },
  'REST list': {
    ask: { url: '/rest/v1/secrets0?select=id,note', headers },
    status: 200,
    headers: {
      ...JSON_TYPE,
      ...USER,
      ...ETAG,
      'cache-control': 'private, max-age=60',
      vary: `${CALLERS}, Accept, Prefer`,
    },
    body: {
      data: [ROW, { id: 'two-0', note: null }],
      meta: { limit: 20, offset: 0 },
      links: {
        self: '/rest/v1/secrets0?select=id,note&limit=20&offset=0',
        next: null,
        prev: null,
        first: '/rest/v1/secrets0?select=id,note&limit=20&offset=0',
      },
    },
  },
  'REST, of nobody': {
    ask: { url: '/rest/v1/secrets0/one-0' },
    status: 401,
    headers: { ...JSON_TYPE, ...ADDRESS, ...NO_STORE, ...BY_CALLER, ...CHALLENGE },
    body: { error: refusal('UNAUTHENTICATED', 'Authentication required') },
  },
  'REST, of what is not there': {
    ask: { url: '/rest/v1/secrets0/none', headers },
    status: 404,
    headers: { ...JSON_TYPE, ...USER, ...NO_STORE, ...BY_CALLER },
    body: { error: refusal('NOT_FOUND', 'There is no such row.') },
  },
  'GraphQL over SSE': {
    ask: { url: search('/graphql/stream'), headers: { ...headers, ...SSE } },
    status: 200,
    headers: { ...EVENTS, ...USER, ...NO_STORE, vary: `${CALLERS}, Accept` },
    body: event({ data: { secret0: ROW } }),
  },
  'GraphQL over SSE, of nobody': {
    ask: { url: search('/graphql/stream'), headers: SSE },
    status: 200,
    headers: { ...EVENTS, ...ADDRESS, ...NO_STORE, vary: `${CALLERS}, Accept` },
    body: event({ errors: REFUSED }),
  },
  'MCP, the first answer': {
    ask: rpc('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }),
    status: 200,
    headers: { ...JSON_TYPE, ...USER, ...NO_STORE, 'mcp-session-id': '…' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true },
          prompts: { listChanged: true },
          completions: {},
        },
        serverInfo: { name: 'my-svc-app', version: '1.0.0' },
      },
    },
  },
  'MCP, a call': {
    ask: rpc('tools/call', { name: 'secret0', arguments: { id: 'one-0', fields: ['id', 'note'] } }),
    status: 200,
    headers: { ...JSON_TYPE, ...USER, ...NO_STORE },
    body: {
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [{ type: 'text', text: JSON.stringify({ secret0: ROW }) }],
        structuredContent: { secret0: ROW },
        isError: false,
      },
    },
  },
  'MCP, a tool that there is not': {
    ask: rpc('tools/call', { name: 'none', arguments: {} }),
    status: 200,
    headers: { ...JSON_TYPE, ...USER, ...NO_STORE },
    body: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'There is no tool "none".' } },
  },
  'admin, of a user': {
    ask: { url: '/api/v1/admin/config', headers },
    status: 403,
    headers: { ...JSON_TYPE, ...ADDRESS, ...NO_STORE },
    body: {
      status: 'error',
      error: refusal('FORBIDDEN', 'The admin token is not valid.'),
      code: 'FORBIDDEN',
    },
  },
  'health, live': {
    ask: { url: '/health/live' },
    status: 200,
    headers: { ...JSON_TYPE, ...NO_STORE },
    body: { status: 'alive' },
  },
  'health, ready': {
    ask: { url: '/health/ready' },
    status: 200,
    headers: { ...JSON_TYPE, ...NO_STORE },
    body: { status: 'ready' },
  },
  '/auth/me': {
    ask: { url: '/auth/me', headers },
    status: 200,
    headers: { ...JSON_TYPE, ...USER, ...NO_STORE, ...BY_CALLER },
    body: {
      email: 'ann@example.org',
      name: 'Ann',
      sub: 'ann',
      user_id: 'ann',
      expires_at: '…',
      display_name: 'Ann',
    },
  },
  '/auth/me, of nobody': {
    ask: { url: '/auth/me' },
    status: 401,
    headers: { ...JSON_TYPE, ...ADDRESS, ...NO_STORE, ...BY_CALLER, ...CHALLENGE },
    body: { error: 'invalid_token', error_description: 'Authentication required', code: 'UNAUTHENTICATED' },
  },
  'a path of nobody': {
    ask: { url: '/nothing', headers },
    status: 404,
    headers: { ...JSON_TYPE, ...USER, ...NO_STORE },
    body: { error: refusal('NOT_FOUND', 'There is nothing at /nothing.') },
  },
}
