import { type Exchange, pageSource, SvcError } from '../../core/doors/plugin.ts'

/** Which pages may use the cookie: those of svc's own origin, and of the origins that logins lead to. */
export interface OwnPages {
  /**
   * Did such a page send this? Browsers say where a request comes from, in headers that no page can set; who says
   * nothing is no browser, and has no use for cookies.
   */
  sent(ctx: Exchange): boolean
}

export function createOwnPages(callbackUrl: string, redirectUris: readonly string[]): OwnPages {
  const trusted = new Set([callbackUrl, ...redirectUris].map((url) => new URL(url).origin))
  return {
    // What is typed into the address bar reads.
    sent: (ctx) =>
      pageSource(ctx, { trusted, by: 'site' }) === 'own' && (ctx.headers['sec-fetch-site'] !== 'none' || isRead(ctx)),
  }
}

/** What a page of another site can make a browser send, and do nothing with. */
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
