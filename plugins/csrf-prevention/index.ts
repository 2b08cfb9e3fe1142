import { definePlugin, type Exchange, type HttpExchange, isOrigin, SvcError } from '../../core/doors/plugin.ts'
import type {} from '../cors/api.ts'
import manifest from './manifest.ts'
import type { CsrfOptions } from './options.ts'
import { createRequestCheck, type RequestCheck } from './request-check.ts'

/** The plugin that checks every HTTP request for cross-site request forgery, including WebSocket handshakes. */
export default definePlugin<CsrfOptions>(manifest, (scope, options) => {
  for (const origin of options.trusted_origins) assertOrigin(origin)
  const trusted = [...options.trusted_origins, ...(scope.config.server.cors?.origins ?? [])]
  let check: RequestCheck | null = null
  /** Errors of requests whose routes only run operations. Such a request is rejected when its first operation is authorized. */
  const refused = new WeakMap<Exchange, SvcError>()

  function look(ctx: HttpExchange): void {
    const { crossSite } = ctx.route ?? {}
    if (crossSite === 'own') return
    // Created at the first request, when all plugins have registered their credentials.
    check ??= createRequestCheck({ ...options, trusted_origins: trusted }, scope.process.credentials)
    const error = check(ctx)
    if (error === null) return
    if (crossSite !== 'operation') throw error
    refused.set(ctx, error)
  }

  scope.on(
    'onRequest',
    (ctx, next) => {
      if (ctx.transport === 'http') look(ctx)
      return next()
    },
    { position: 'guard' },
  )

  scope.on('authorize', (ctx) => {
    const error = refused.get(ctx)
    if (error !== undefined) throw error
  })
})

function assertOrigin(origin: string): void {
  if (isOrigin(origin)) return
  const message = `security.csrf_prevention.trusted_origins: "${origin}" is not an origin. Write scheme, host and port only, like "https://app.example.com".`
  throw new SvcError('SVC_CONFIG_INVALID', message)
}
