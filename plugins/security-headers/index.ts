import { definePlugin, type Exchange, isPromise, type Reply, SvcError } from '../../core/doors/plugin.ts'
import manifest from './manifest.ts'
import type { SecurityHeadersOptions } from './options.ts'

/**
 * The plugin that adds security headers to every HTTP reply, including errors. It does not change a header that a route
 * sets.
 */
export default definePlugin<SecurityHeadersOptions>(manifest, (scope, options) => {
  const headers = headersOf(options, scope.config.server.tls.enabled)
  const names = Object.keys(headers)

  /** Removes headers that the route sets itself, such as the policy of the query editor. */
  function yieldTo(ctx: Exchange, reply: Reply | undefined): void {
    const own = reply?.headers
    if (own === undefined || own === null || !names.some((name) => own[name] !== undefined)) return
    const left = Object.entries(ctx.replyHeaders ?? {}).filter(
      ([name, value]) => own[name] === undefined || headers[name] !== value,
    )
    ctx.replyHeaders = Object.fromEntries(left)
  }

  scope.on(
    'onRequest',
    (ctx, next) => {
      if (ctx.transport !== 'http') return next()
      ctx.replyHeaders = { ...headers, ...ctx.replyHeaders }
      const reply = next()
      if (isPromise(reply))
        reply.then(
          (each) => yieldTo(ctx, each),
          () => {},
        )
      else yieldTo(ctx, reply)
      return reply
    },
    { position: 'guard' },
  )
})

const DEFAULT_HSTS_SECS = 15_552_000
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** Valid header values. A line break would begin another header. */
const VALUE = /^[\x20-\x7e]*$/
/** Headers of a reply that svc sets itself. */
const OWN = new Set(['content-length', 'content-type', 'transfer-encoding', 'connection', 'vary', 'set-cookie', 'date'])

/**
 * Returns the headers, with names in lower case.
 * @param isTls `true` if this process serves HTTPS itself
 * @throws SvcError SVC_CONFIG_INVALID
 */
function headersOf(options: SecurityHeadersOptions, isTls: boolean): Readonly<Record<string, string>> {
  const maxAge = options.hsts_max_age_secs ?? (isTls ? DEFAULT_HSTS_SECS : 0)
  if (maxAge === 0 && options.hsts_include_subdomains) {
    throw invalid('hsts_include_subdomains counts with hsts_max_age_secs above 0 only')
  }
  const all: Readonly<Record<string, string>> = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': options.frame_options,
    'content-security-policy': options.content_security_policy,
    'referrer-policy': options.referrer_policy,
    'cross-origin-resource-policy': options.cross_origin_resource_policy,
    'strict-transport-security':
      maxAge === 0 ? '' : `max-age=${maxAge}${options.hsts_include_subdomains ? '; includeSubDomains' : ''}`,
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of [...Object.entries(all), ...Object.entries(options.extra)]) {
    const lower = name.toLowerCase()
    if (!NAME.test(name) || lower === '__proto__')
      throw invalid(`extra: ${JSON.stringify(name)} is no name of a header`)
    if (OWN.has(lower)) throw invalid(`extra: "${name}" is not yours to set`)
    if (!VALUE.test(value)) throw invalid(`${name}: its value has characters that a header cannot have`)
    if (value !== '') headers[lower] = value
  }
  return headers
}

function invalid(why: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[security.headers] ${why}.`)
}
