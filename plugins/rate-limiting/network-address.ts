import { isIP, isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** One text for each address: IPv4 that is written as IPv6 is IPv4, zones are left out. @returns `null`: it is none */
export function canonicalAddress(given: string): string | null {
  // What a socket says, nearly always.
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
 * Whom an address stands for: an IPv4 address for itself, an IPv6 address for its network of 64 bits, because that is the
 * least that one subscriber has, with 2^64 addresses to ask from.
 * @param address canonical
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
 * The network of 48 bits around a subscriber, which is what one site may have: 65,536 networks to ask from.
 * @param subscriber as `subscriberOf` says it; `null`: IPv4, or no address
 */
export function siteOf(subscriber: string): string | null {
  const groups = subscriber.endsWith('::/64') ? subscriber.slice(0, -5).split(':') : []
  return groups.length === 4 ? `${groups.slice(0, 3).join(':')}::/48` : null
}
