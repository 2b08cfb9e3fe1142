import type { Exchange } from '../contract/exchange.ts'

/**
 * Which page sent a request, by what a browser says of itself and no page can write.
 * `own`: a page of the service or of a trusted origin. `foreign`: another site's. `none`: nothing says that it was a page.
 */
export type PageSource = 'own' | 'foreign' | 'none'

export interface PageSourceOptions {
  /** Origins whose pages are ours, to the letter: scheme, host and port. */
  readonly trusted: ReadonlySet<string>
  /**
   * What else shows that a page is ours. `host`, the default: its origin has the host that was called, or the browser says that the two
   * are one origin. `site`: the latter alone, which knows the scheme too, of a request without `Origin`. `list`: nothing. A page of another site can reach a
   * service by a name of its own that leads there (DNS rebinding), and is of one origin with it then; only cookies stay behind.
   */
  readonly by?: 'host' | 'site' | 'list'
}

/**
 * The one place that says whose page a request comes from. Origins are compared as a whole: a host that begins or ends like
 * ours is another's.
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
  // A read of the same origin has no Origin. "none": typed into the address bar, or a bookmark.
  return by !== 'list' && (site === 'same-origin' || site === 'none') ? 'own' : 'foreign'
}

function isSameHost(origin: string, host: unknown): boolean {
  const match = /^https?:\/\/([^/?#@]+)$/i.exec(origin)
  return match !== null && typeof host === 'string' && match[1]!.toLowerCase() === host.toLowerCase()
}

/** The origins that a configuration names, without the star that stands for all. */
export function originSet(...lists: readonly (readonly string[] | undefined)[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list ?? []).filter((origin) => origin !== '*'))
}

/** Is this an origin as browsers write it: scheme, host and port, and nothing else? */
export function isOrigin(text: string): boolean {
  return !text.includes('*') && URL.canParse(text) && new URL(text).origin === text
}
