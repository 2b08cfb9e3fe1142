import { type Exchange, pageSource, SvcError } from '../../core/doors/plugin.ts'

/**
 * Decides which web pages may use the session cookie: pages of the origins of svc and of the configured redirect URIs.
 */
export interface OwnPages {
  /**
   * Tests whether a web page that may use the session cookie sent the request. `false` also for a request without the
   * headers that browsers set, because its sender is unknown.
   */
  sent(ctx: Exchange): boolean
}

export function createOwnPages(callbackUrl: string, redirectUris: readonly string[]): OwnPages {
  const trusted = new Set([callbackUrl, ...redirectUris].map((url) => new URL(url).origin))
  return {
    // A URL in the address bar is a read.
    sent: (ctx) =>
      pageSource(ctx, { trusted, by: 'site' }) === 'own' && (ctx.headers['sec-fetch-site'] !== 'none' || isRead(ctx)),
  }
}

/** Tests whether a request is a GET or HEAD, which has no side effects. */
export function isRead(ctx: Exchange): boolean {
  const { method } = ctx as { readonly method?: string }
  return method === 'GET' || method === 'HEAD'
}

export function foreignPage(): SvcError {
  const message =
    'The cookie of a session counts on pages of this service and of the origins in security.pkce.redirect_uris alone, ' +
    'and this request comes from none of them.'
  return new SvcError('FORBIDDEN', message)
}
