import { http } from '../../core/doors/front.ts'
import {
  definePlugin,
  type HttpExchange,
  type Reply,
  type Scope,
  SvcError,
  type ToPublicError,
} from '../../core/doors/plugin.ts'
import type {} from '../rate-limiting/api.ts'
import type { AdminApi, AdminCache, AdminRoute } from './api.ts'
import { cacheRoutes } from './caches.ts'
import { grafanaDashboard } from './dashboard/grafana-dashboard.ts'
import { createGate } from './gate.ts'
import manifest from './manifest.ts'
import { type AdminOptions, EXAMPLES } from './options.ts'
import { reloadSchema } from './reload-schema.ts'

/** API for plugins that add routes or caches. */
export type * from './api.ts'

const PATH = '/api/v1/admin'
/** Characters of a token that a header can carry to the gate. */
const SENDABLE = /^[!-+\--~]+$/

/**
 * The admin API plugin (docs/plugins/admin.md). Its endpoints accept only the two admin tokens, and these tokens give
 * no access to data.
 */
export default definePlugin<AdminOptions>(manifest, (scope, options) => {
  const { token, readonly_token: readonlyToken = null, max_failures_per_minute: maxFailures } = options
  if (token === undefined) throw invalid('is enabled and has no token: set server.admin_token to 32 characters or more')
  if ([token, readonlyToken].some((each) => EXAMPLES.some((example) => each === example))) {
    throw invalid('has the token of the example, which everybody knows: write one of your own (openssl rand -hex 32)')
  }
  for (const [name, each] of Object.entries({ token, readonly_token: readonlyToken })) {
    if (each !== null && !SENDABLE.test(each)) {
      throw invalid(
        `has a ${name} with a character that no request can bring: a space, a line end, a comma, or one outside of ASCII. Take hexadecimal digits (openssl rand -hex 32), without the line end of a file`,
      )
    }
  }
  if (token === readonlyToken) {
    const message =
      '[server.admin] readonly_token is the same as token: its holders can write, too. Take another one, or leave it out.'
    scope.signals.emit({ type: 'warning', plugin: scope.plugin, message })
  }
  const addresses = scope.use('clientAddress', { optional: true })
  const refused = scope.metrics.counterBy('svc_admin_refused_total')
  const gate = createGate({
    token,
    readonlyToken,
    maxFailures,
    clientOf: (ctx) => addresses?.subscriberOf(ctx) ?? ctx.address,
    refused: (_ctx, reason) => refused(reason).add(),
  })

  function mount(owner: Scope, { method, path, writes, handler, bare = false }: AdminRoute): void {
    const render = bare ? renderBare : renderData
    owner.route({
      method,
      path: `${PATH}${path}`,
      // The handler checks the token of the admin API. Credentials of users are not accepted.
      anonymous: true,
      // Tokens that browsers send by themselves are not accepted.
      crossSite: 'own',
      async handler(ctx: HttpExchange) {
        gate(ctx, writes)
        return render(await handler(ctx))
      },
      renderError: (ctx, error) => renderAdminError(owner.pipeline.toPublicError, ctx, error),
    })
  }

  const caches = new Map<string, AdminCache>()
  const admin: AdminApi = {
    path: PATH,
    route: mount,
    cache(cache) {
      if (caches.has(cache.name)) {
        throw new SvcError('SVC_PROVIDE_DUPLICATE', `Two plugins call a cache of theirs "${cache.name}".`)
      }
      caches.set(cache.name, cache)
    },
  }
  scope.provide('admin', admin)

  const { process } = scope
  const { stats, clear } = cacheRoutes(caches, process.peers, scope.signals)
  mount(scope, { method: 'POST', path: '/reload-schema', writes: true, handler: reloadSchema(process) })
  mount(scope, { method: 'POST', path: '/cache/clear', writes: true, handler: clear })
  mount(scope, { method: 'GET', path: '/cache/stats', writes: false, handler: stats })
  mount(scope, {
    method: 'GET',
    path: '/config',
    writes: false,
    handler: () => ({ version: process.version, config: flattenConfig(process.describeConfig()) }),
  })
  mount(scope, {
    method: 'GET',
    path: '/grafana-dashboard',
    writes: false,
    bare: true,
    handler: () => grafanaDashboard(),
  })
})

function invalid(why: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[server.admin] ${why}.`)
}

/** Answers are never cached, and browsers do not guess their content type. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Codes that have another name in the admin API (docs/plugins/admin.md#errors). */
const WORDS: Readonly<Record<string, string>> = { INTERNAL_SERVER_ERROR: 'INTERNAL_ERROR' }

/** Renders a value without an envelope, as Grafana imports a dashboard. */
function renderBare(value: unknown): Reply {
  return { status: 200, headers: { ...HEADERS }, body: JSON.stringify(value) }
}

/** Renders `{ "status": "success", "data": … }`. */
function renderData(data: unknown): Reply {
  return renderBare({ status: 'success', data })
}

/**
 * Renders `{ "status": "error", "error": { code, message, details }, "code" }`. The code stands twice, for clients that read either.
 * @param show converts the error to its public form. Operators also see the messages of operator errors (`SVC_…`)
 */
function renderAdminError(show: ToPublicError, ctx: HttpExchange, error: unknown): Reply {
  const shown = show(error, ctx)
  const code = WORDS[shown.code] ?? shown.code
  const isOperators = error instanceof SvcError && error.code.startsWith('SVC_')
  const message = isOperators ? error.message : shown.message
  return {
    status: shown.status,
    headers: { ...HEADERS, ...http.errorHeaders(shown) },
    body: JSON.stringify({ status: 'error', error: { code, message, details: shown.details }, code }),
  }
}

/** A configuration as dotted keys and texts: `server.port` → `"8080"`. Lists and empty sections are JSON. */
function flattenConfig(config: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(leavesOf(config, ''))
}

function leavesOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) {
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]]
  }
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .flatMap(([key, part]) => leavesOf(part, path === '' ? key : `${path}.${key}`))
}
