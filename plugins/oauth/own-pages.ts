import { type Exchange, pageSource, SvcError } from '../../core/doors/plugin.ts'

/** Web pages that may use the cookie: pages of the origins of svc and of the redirect URIs of logins. */
export interface OwnPages {
  /**
   * Tests whether one of these pages sent the request. Browsers name the origin of a request in headers that pages
   * cannot set. A request without these headers does not come from a browser, and may not use cookies.
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

/**
 * Tests whether a request has no side effects. Pages of other sites can send such a request, but cannot read the reply.
 */
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
