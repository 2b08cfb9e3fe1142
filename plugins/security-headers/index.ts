import { definePlugin, type Exchange, isPromise, type Reply } from '../../core/doors/plugin.ts'
import { headersOf } from './headers-of.ts'
import manifest from './manifest.ts'
import type { SecurityHeadersOptions } from './options.ts'

/** Every answer over HTTP has them, errors and what other hooks answer included; a page that says its own keeps it. */
export default definePlugin<SecurityHeadersOptions>(manifest, (scope, options) => {
  const headers = headersOf(options, scope.config.server.tls.enabled)
  const names = Object.keys(headers)

  /** What the route says itself counts: the query editor is a page with scripts of its own. */
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
