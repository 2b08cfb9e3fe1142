import { AGGREGATES } from './aggregates.ts'
import { APP } from './app.ts'
import { ARROW } from './arrow.ts'
import { CACHES } from './caches.ts'
import { CONNECTIONS } from './connections.ts'
import { CREDENTIALS } from './credentials.ts'
import { DIFFERENTIAL } from './differential.ts'
import { DOCUMENTS } from './documents.ts'
import { DRIFT } from './drift.ts'
import { EVENTS } from './events.ts'
import { EXECUTE } from './execute.ts'
import { FILTERS } from './filters.ts'
import { HELD_VALUES } from './held-values.ts'
import { HTTP } from './http.ts'
import { KERNEL } from './kernel.ts'
import { KEYS } from './keys.ts'
import { MCP } from './mcp.ts'
import type { Mutant } from './mutant.ts'
import { OPTIONS } from './options.ts'
import { PERMISSIONS } from './permissions.ts'
import { PGLITE } from './pglite.ts'
import { PLANS } from './plans.ts'
import { POSTGRES } from './postgres.ts'
import { RELATIONS } from './relations.ts'
import { REQUESTS_AND_CACHES } from './requests.ts'
import { REST } from './rest.ts'
import { SERVICE } from './service.ts'
import { SESSION } from './session.ts'
import { SUBSCRIPTIONS } from './subscriptions.ts'
import { SUITES } from './suites.ts'
import { TOKENS } from './tokens.ts'
import { TRACING } from './tracing.ts'
import { WRITES } from './writes.ts'

/** Faults by room. */
export const LISTS: Readonly<Record<string, readonly Mutant[]>> = {
  kernel: KERNEL,
  app: APP,
  filters: FILTERS,
  http: HTTP,
  requests: REQUESTS_AND_CACHES,
  documents: DOCUMENTS,
  'held-values': HELD_VALUES,
  differential: DIFFERENTIAL,
  connections: CONNECTIONS,
  aggregates: AGGREGATES,
  drift: DRIFT,
  relations: RELATIONS,
  execute: EXECUTE,
  writes: WRITES,
  plans: PLANS,
  postgres: POSTGRES,
  pglite: PGLITE,
  service: SERVICE,
  session: SESSION,
  tokens: TOKENS,
  credentials: CREDENTIALS,
  caches: CACHES,
  permissions: PERMISSIONS,
  options: OPTIONS,
  rest: REST,
  keys: KEYS,
  mcp: MCP,
  arrow: ARROW,
  events: EVENTS,
  subscriptions: SUBSCRIPTIONS,
  suites: SUITES,
  tracing: TRACING,
}
