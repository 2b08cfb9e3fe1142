import { definePlugin, type HttpExchange, type Reply, SvcError } from '../../core/index.ts'
import manifest from './manifest.ts'

interface CorsOptions {
  readonly origins: readonly string[]
  readonly credentials: boolean
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Two hours: what browsers keep a preflight's answer for at most. */
const MAX_AGE_SECONDS = '7200'

function assertOrigins({ origins, credentials }: CorsOptions): void {
  // Any origin with the user's cookies would let every web page act as the user (behaviours 22, 40).
  if (credentials && (origins.length === 0 || origins.includes('*'))) {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      'server.cors.credentials = true needs server.cors.origins to list the origins; it cannot be combined with all origins.',
    )
  }
  for (const origin of origins) {
    if (origin === '*') continue
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new SvcError(
        'SVC_CONFIG_INVALID',
        `server.cors.origins: "${origin}" is not an origin. Write scheme, host and port only, like "https://app.example.com".`,
      )
    }
  }
}

/** Spec "Configuration sections", `server.cors`; the Fetch standard's CORS protocol. */
export default definePlugin<CorsOptions>(manifest, (scope, options) => {
  assertOrigins(options)
  const all = options.origins.length === 0 || options.origins.includes('*')
  const allowed = new Set(options.origins)

  function mark(reply: Reply, origin: string): Reply {
    reply.headers['access-control-allow-origin'] = all ? '*' : origin
    if (options.credentials) reply.headers['access-control-allow-credentials'] = 'true'
    return reply
  }

  /** Caches must not give one origin's answer to another. */
  function vary(reply: Reply): Reply {
    if (all) return reply
    const { vary } = reply.headers
    reply.headers.vary = vary === undefined ? 'Origin' : `${String(vary)}, Origin`
    return reply
  }

  function preflight(ctx: HttpExchange, origin: string): Reply {
    const headers: Record<string, string> = {
      'access-control-allow-methods': METHODS,
      'access-control-max-age': MAX_AGE_SECONDS,
      vary: 'Access-Control-Request-Headers',
    }
    const asked = ctx.headers['access-control-request-headers']
    if (typeof asked === 'string') headers['access-control-allow-headers'] = asked
    return vary(mark({ status: 204, headers, body: null }, origin))
  }

  function isAllowed(origin: string): boolean {
    return all || allowed.has(origin)
  }

  const finish = (reply: Reply, origin: string | undefined): Reply => {
    if (origin !== undefined && isAllowed(origin)) {
      mark(reply, origin)
      reply.headers['access-control-expose-headers'] = 'X-Request-Id, Retry-After, ETag, Location, Preference-Applied'
    }
    return vary(reply)
  }

  scope.on('onRequest', (ctx, next) => {
    const given = ctx.headers.origin
    const origin = typeof given === 'string' ? given : undefined
    if (origin === undefined && all) return next()
    if (
      ctx.method === 'OPTIONS' &&
      origin !== undefined &&
      ctx.headers['access-control-request-method'] !== undefined
    ) {
      return isAllowed(origin) ? preflight(ctx, origin) : vary({ status: 403, headers: {}, body: null })
    }
    const reply = next()
    return reply instanceof Promise ? reply.then((r) => finish(r, origin)) : finish(reply, origin)
  })
})
