import { createHash } from 'node:crypto'
import { isIP, isIPv6 } from 'node:net'
import type { Auth } from '../../core/doors/plugin.ts'

/** Longer keys are replaced by their digest, because clients choose the length. */
const LONGEST = 120
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * Returns the canonical form of an IP address: IPv4-mapped IPv6 becomes IPv4, zones are dropped.
 * @returns `null` for an invalid address
 */
export function canonicalAddress(given: string): string | null {
  // The usual form of a socket's address.
  if (!given.includes(':')) return isIP(given) === 4 ? given : null
  const [, mapped] = MAPPED.exec(given) ?? []
  if (mapped !== undefined) return isIP(mapped) === 4 ? mapped : null
  const zone = given.indexOf('%')
  const address = zone === -1 ? given : given.slice(0, zone)
  if (!isIPv6(address)) return null
  const { hostname } = new URL(`http://[${address}]`)
  const plain = hostname.slice(1, -1)
  // `::ffff:7f00:1` is the same as `::ffff:127.0.0.1`.
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain) ?? []
  return high === undefined || low === undefined ? plain : dotted(high, low)
}

function dotted(high: string, low: string): string {
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`
}

/**
 * Returns the network by which rate limits count a client: the address itself for IPv4, its /64 network for IPv6,
 * because a client usually has a whole /64 network.
 * @param address address in canonical form
 */
export function subscriberOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...new Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/**
 * Returns the /48 network around a /64 network: the usual size of one customer site, with 65,536 networks.
 * @param subscriber result of {@link subscriberOf}
 * @returns `null` for IPv4, or without an address
 */
export function siteOf(subscriber: string): string | null {
  const groups = subscriber.endsWith('::/64') ? subscriber.slice(0, -5).split(':') : []
  return groups.length === 4 ? `${groups.slice(0, 3).join(':')}::/48` : null
}

/** Keys by credential: requests with the same credential share the object, and its key is computed once. */
const keys = new WeakMap<Auth, string | null>()

/**
 * Returns the key by which the rate limit of an authenticated user is counted: issuer and subject. `null`: the
 * credential has no subject, so the request only counts for its address.
 */
export function userKey(auth: Auth): string | null {
  let key = keys.get(auth)
  if (key === undefined) {
    key = makeKey(auth)
    keys.set(auth, key)
  }
  return key
}

function makeKey({ subject, claims, method }: Auth): string | null {
  if (subject === null || subject === '') return null
  const { iss } = claims
  const key = `${typeof iss === 'string' ? iss : method}\n${subject}`
  return key.length <= LONGEST ? key : createHash('sha256').update(key).digest('base64url')
}
