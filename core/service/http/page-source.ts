import type { Exchange } from '../../contract/exchange.ts'

/**
 * The page that sent a request, by headers that browsers set and pages cannot change. `own`: a page of the service or of a
 * trusted origin. `foreign`: a page of another site. `none`: the headers name no page.
 */
export type PageSource = 'own' | 'foreign' | 'none'

export interface PageSourceOptions {
  /** Origins whose pages are trusted, compared exactly: scheme, host and port. */
  readonly trusted: ReadonlySet<string>
  /**
   * Which other pages count as own. `host` (default): the host of their origin is the requested host, or the browser reports the same
   * origin (`Sec-Fetch-Site`). `site`: only the latter, for a request without `Origin`; it compares the scheme, too. `list`: none. With DNS
   * rebinding, a page of another site can reach the service under a host name of that site, and then has the same origin; but the browser
   * does not send cookies of the service.
   */
  readonly by?: 'host' | 'site' | 'list'
}

/**
 * Determines the page that sent a request, for all checks. Origins are compared completely, so that a host that only starts or ends like a
 * trusted one is foreign.
 */
export function pageSource(
  { headers }: Pick<Exchange, 'headers'>,
  { trusted, by = 'host' }: PageSourceOptions,
): PageSource {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (origin !== undefined) {
    if (typeof origin !== 'string') return 'foreign'
    if (trusted.has(origin)) return 'own'
    return by === 'host' && (site === 'same-origin' || isSameHost(origin, host)) ? 'own' : 'foreign'
  }
  if (site === undefined) return 'none'
  // Browsers send no Origin with GET to the same origin. "none": the user typed the URL, or opened a bookmark.
  return by !== 'list' && (site === 'same-origin' || site === 'none') ? 'own' : 'foreign'
}

function isSameHost(origin: string, host: unknown): boolean {
  const match = /^https?:\/\/([^/?#@]+)$/i.exec(origin)
  return match !== null && typeof host === 'string' && match[1]!.toLowerCase() === host.toLowerCase()
}

/** Returns the origins in lists of the configuration, without `*`. */
export function originSet(...lists: readonly (readonly string[] | undefined)[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list ?? []).filter((origin) => origin !== '*'))
}

/** Tests whether a text is an origin as browsers write it: scheme, host and port only. */
export function isOrigin(text: string): boolean {
  return !text.includes('*') && URL.canParse(text) && new URL(text).origin === text
}
