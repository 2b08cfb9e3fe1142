import type { Exchange } from '../../contract/exchange.ts'

/**
 * Which web page caused a request, by headers that browsers set and pages cannot change. `own`: a page of the service
 * or of a trusted origin; `foreign`: a page of another site; `none`: no page, such as a request of a script or app.
 */
export type PageSource = 'own' | 'foreign' | 'none'

export interface PageSourceOptions {
  /** Origins (`https://app.example`) whose pages count as own. Scheme, host and port are compared exactly. */
  readonly trusted: ReadonlySet<string>
  /**
   * Which pages outside `trusted` count as own. `host` (default): those whose origin has the host of the request, or
   * that the browser reports as same-origin (`Sec-Fetch-Site`). `site`: only the latter, for a request without
   * `Origin`. `list`: none. With DNS rebinding, a page of another site may have the same origin as the service; but the
   * browser does not send cookies of the service to it.
   */
  readonly by?: 'host' | 'site' | 'list'
}

/**
 * Determines which web page caused a request, from its `Origin` and `Sec-Fetch-Site`. Checks against cross-site
 * requests (CORS, CSRF, WebSocket) use it.
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

/** Returns all origins in several lists of the configuration as a set, without `*`. */
export function originSet(...lists: readonly (readonly string[] | undefined)[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list ?? []).filter((origin) => origin !== '*'))
}

/** Tests whether a text is an origin as browsers write it: scheme, host and port only. */
export function isOrigin(text: string): boolean {
  return !text.includes('*') && URL.canParse(text) && new URL(text).origin === text
}
