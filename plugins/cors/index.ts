import { definePlugin, type HttpExchange, isOrigin, type Reply, SvcError } from '../../core/doors/plugin.ts'
import type { CorsOptions } from './api.ts'
import manifest from './manifest.ts'

/** API for plugins that open a path to further origins. */
export type * from './api.ts'

/** A valid list of header names. Other values of a preflight are not echoed, and therefore not allowed. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{1,2048}$/
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Headers that pages may read, besides the CORS-safelisted ones. */
const EXPOSED = [
  ...['X-Request-Id', 'Retry-After', 'ETag', 'Location', 'Allow', 'Preference-Applied', 'X-Preference-Fallback'],
  ...['Deprecation', 'Idempotency-Replayed'],
  ...['X-Rows-Affected', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
].join(', ')
/** Additional origins and headers of a path. */
interface Opened {
  readonly origins: ReadonlySet<string>
  readonly exposed: string
}

/** Two hours: the longest time for which browsers cache a preflight. */
const MAX_AGE_SECONDS = '7200'

function assertOrigins({ origins, credentials }: CorsOptions): void {
  // All origins together with cookies would let every web page act as the user.
  if (credentials && (origins.length === 0 || origins.includes('*'))) {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      'server.cors.credentials = true needs server.cors.origins to list the origins; it cannot be combined with all origins.',
    )
  }
  for (const origin of origins) {
    if (origin === '*') continue
    if (origin.includes('*')) {
      throw new SvcError(
        'SVC_CONFIG_INVALID',
        `server.cors.origins: "${origin}" is a pattern. List each origin, or write "*" alone for all of them.`,
      )
    }
    if (!isOrigin(origin)) {
      throw new SvcError(
        'SVC_CONFIG_INVALID',
        `server.cors.origins: "${origin}" is not an origin. Write scheme, host and port only, like "https://app.example.com".`,
      )
    }
  }
}

/**
 * The plugin for the CORS protocol of the Fetch standard (https://fetch.spec.whatwg.org/#http-cors-protocol;
 * docs/plugins/cors.md).
 */
export default definePlugin<CorsOptions>(manifest, (scope, options) => {
  assertOrigins(options)
  const all = options.origins.length === 0 || options.origins.includes('*')
  const allowed = new Set(options.origins)

  const opened = new Map<string, Opened>()
  scope.provide('cors', {
    open: (path, { origins, exposed }) =>
      void opened.set(path, { origins: new Set(origins), exposed: [EXPOSED, ...exposed].join(', ') }),
  })

  function mark(headers: Record<string, string>, origin: string): void {
    headers['access-control-allow-origin'] = all ? '*' : origin
    // Only origins of `server.cors.origins` may send cookies.
    if (options.credentials && allowed.has(origin)) headers['access-control-allow-credentials'] = 'true'
  }

  /** Adds `Vary`, so that caches do not serve the reply for one origin to another. */
  function vary(headers: Record<string, string>, on: string): void {
    const { vary } = headers
    headers.vary = vary === undefined ? on : `${vary}, ${on}`
  }

  function preflight(ctx: HttpExchange, origin: string): Reply {
    const headers: Record<string, string> = {}
    if (!all) vary(headers, 'Origin')
    if (!isAllowed(ctx, origin)) return { status: 403, headers, body: null }
    mark(headers, origin)
    headers['access-control-allow-methods'] = METHODS
    headers['access-control-max-age'] = MAX_AGE_SECONDS
    const asked = ctx.headers['access-control-request-headers']
    if (typeof asked === 'string' && HEADER_NAMES.test(asked)) headers['access-control-allow-headers'] = asked
    vary(headers, 'Access-Control-Request-Headers')
    return { status: 204, headers, body: null }
  }

  /** Returns the settings of the opened path. A preflight has no route, so its path is used. */
  const openedAt = ({ route, pathname }: HttpExchange): Opened | undefined => opened.get(route?.path ?? pathname)

  function isAllowed(ctx: HttpExchange, origin: string): boolean {
    return all || allowed.has(origin) || openedAt(ctx)?.origins.has(origin) === true
  }

  /** Sets the headers before the request can fail, so that pages can read errors too. */
  function announce(ctx: HttpExchange, origin: string | undefined): void {
    ctx.replyHeaders ??= {}
    const headers = ctx.replyHeaders
    if (origin !== undefined && isAllowed(ctx, origin)) {
      mark(headers, origin)
      headers['access-control-expose-headers'] = openedAt(ctx)?.exposed ?? EXPOSED
    }
    if (!all) vary(headers, 'Origin')
  }

  scope.on(
    'onRequest',
    (ctx, next) => {
      // CORS applies to HTTP only.
      if (ctx.transport !== 'http') return next()
      const given = ctx.headers.origin
      const origin = typeof given === 'string' ? given : undefined
      if (origin === undefined && all) return next()
      if (
        ctx.method === 'OPTIONS' &&
        origin !== undefined &&
        ctx.headers['access-control-request-method'] !== undefined
      ) {
        return preflight(ctx, origin)
      }
      announce(ctx, origin)
      return next()
    },
    { position: 'guard' },
  )
})
