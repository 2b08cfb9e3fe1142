/** A parsed request target. */
export interface RequestTarget {
  /** Path and query string, as the client wrote them. */
  readonly url: string
  /** The normalized path: characters that need no percent-encoding are decoded (RFC 3986, 6.2.2). */
  readonly pathname: string
  readonly queryString: string
  /** Host and port of an absolute target, which replace the `Host` header (RFC 9112, 3.2.2); `null` without them. */
  readonly authority: string | null
}

/** Longest request target that is read from a connection; longer ones are 414. */
export const MAX_URL_BYTES = 8192

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i
const ENCODED = /%[0-9a-f]{2}/gi
const UNRESERVED = /[\w.~-]/
/** A name, an IPv4 address or an IPv6 address in brackets, and a port. No user: a URL made of it would lead elsewhere. */
const HOST = /^(?:[\w.~!$&'()*+;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/**
 * Reads a request target in origin form or in absolute form.
 * @returns `null`: it is neither, or no URL
 */
export function readTarget(raw: string): RequestTarget | null {
  if (raw.includes('#')) return null
  if (raw.startsWith('/')) return split(raw, null)
  const authority = ABSOLUTE.exec(raw)?.[1]
  if (authority === undefined || !isHost(authority)) return null
  const rest = raw.slice(raw.indexOf('://') + '://'.length + authority.length)
  return split(rest.startsWith('/') ? rest : `/${rest}`, authority)
}

/** Is this a value of the header `Host`, so that a URL may be made of it? */
export function isHost(text: string): boolean {
  return HOST.test(text)
}

function split(url: string, authority: string | null): RequestTarget {
  const question = url.indexOf('?')
  const path = question === -1 ? url : url.slice(0, question)
  const queryString = question === -1 ? '' : url.slice(question + 1)
  return { url, pathname: path.includes('%') ? path.replace(ENCODED, decodeUnreserved) : path, queryString, authority }
}

function decodeUnreserved(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
  return UNRESERVED.test(character) ? character : encoded.toUpperCase()
}
