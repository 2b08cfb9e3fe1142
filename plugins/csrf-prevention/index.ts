import { definePlugin, SvcError } from '../../core/index.ts'
import manifest from './manifest.ts'
import type { CsrfOptions } from './options.ts'
import { createRequestCheck } from './request-check.ts'

/** Stands around every request over HTTP, handshakes of WebSockets included; no other way in can be sent by a page. */
export default definePlugin<CsrfOptions>(manifest, (scope, options) => {
  const { server } = scope.config as { readonly server?: { readonly cors?: { readonly origins?: readonly string[] } } }
  const trusted = [...options.trusted_origins, ...(server?.cors?.origins ?? [])].filter((origin) => origin !== '*')
  for (const origin of options.trusted_origins) assertOrigin(origin)
  const check = createRequestCheck({ ...options, trusted_origins: trusted })

  scope.on(
    'onRequest',
    (ctx, next) => {
      if (ctx.transport === 'http') check(ctx)
      return next()
    },
    { position: 'guard' },
  )
})

function assertOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return
  const message = `security.csrf_prevention.trusted_origins: "${origin}" is not an origin. Write scheme, host and port only, like "https://app.example.com".`
  throw new SvcError('SVC_CONFIG_INVALID', message)
}
