import type { IncomingHttpHeaders } from 'node:http'
import { SvcError } from '../../base/errors/svc-error.ts'

/** The request target of an HTTP request (path and query string), parsed. */
export interface RequestTarget {
  /** Path and query string as the client sent them, percent-encoded. */
  readonly url: string
  /** The path, in which unreserved characters are decoded (RFC 3986, 6.2.2): `/%61` is `/a`. */
  readonly pathname: string
  readonly queryString: string
  /**
   * Host and port of a target in absolute form, which replace the `Host` header (RFC 9112, 3.2.2); `null`: the target
   * is a path.
   */
  readonly authority: string | null
}

/** Maximum length of a request target in bytes; longer ones get status 414. */
export const MAX_URL_BYTES = 8192

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i
const ENCODED = /%[0-9a-f]{2}/gi
const UNRESERVED = /[\w.~-]/
/**
 * A name, an IPv4 address or an IPv6 address in brackets, with an optional port. User info is invalid, because a URL with it would have
 * another host.
 */
const HOST = /^(?:[\w.~!$&'()*+;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/**
 * Parses the target of a request: a path, or an absolute URL as proxies send it.
 * @returns `null`: the target has neither form, or is not a valid URL
 */
export function readTarget(raw: string): RequestTarget | null {
  if (raw.includes('#')) return null
  if (raw.startsWith('/')) return split(raw, null)
  const authority = ABSOLUTE.exec(raw)?.[1]
  if (authority === undefined || !isHost(authority)) return null
  const rest = raw.slice(raw.indexOf('://') + '://'.length + authority.length)
  return split(rest.startsWith('/') ? rest : `/${rest}`, authority)
}

/** Tests whether a text is a valid `Host` header: a name or IP address, with or without a port. */
export function isHost(text: string): boolean {
  return HOST.test(text)
}

function split(url: string, authority: string | null): RequestTarget {
  const question = url.indexOf('?')
  const path = question === -1 ? url : url.slice(0, question)
  const queryString = question === -1 ? '' : url.slice(question + 1)
  return { url, pathname: normalizePath(path), queryString, authority }
}

/** Decodes percent-encoded unreserved characters in a path, which need no encoding (RFC 3986, 6.2.2). */
export function normalizePath(path: string): string {
  return path.includes('%') ? path.replace(ENCODED, decodeUnreserved) : path
}

function decodeUnreserved(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
  return UNRESERVED.test(character) ? character : encoded.toUpperCase()
}

/** The last valid value. Most requests of a service have the same `Host`. */
let knownHost = ''

/**
 * Checks the request target and the `Host` header of a request.
 * @param target `null`: it could not be parsed
 * @returns a REQUEST_ERROR that describes the problem; `null`: both are valid
 */
export function checkRequest(
  target: RequestTarget | null,
  { host }: Pick<IncomingHttpHeaders, 'host'>,
): SvcError | null {
  if (target === null)
    return new SvcError('REQUEST_ERROR', 'The request target has to be a path, or a URL with http or https.')
  if (host === undefined || host === knownHost) return null
  // Node joins repeated headers with a comma (`joinDuplicateHeaders`), which is not valid in a host.
  if (!isHost(host) && host !== '')
    return new SvcError('REQUEST_ERROR', 'The header Host has to be one host, with a port or without.')
  knownHost = host
  return null
}
