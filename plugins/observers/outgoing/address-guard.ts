import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** Networks that no webhook has any business in: the machine itself, its neighbours, what is no address of anybody's. */
const V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
/** Outside of 2000::/3 nothing is routed; inside of it these carry another address, or are for examples. */
const V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const PUBLIC_V6 = new BlockList()
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6')
const BLOCKED = new BlockList()
for (const [network, prefix] of V4) BLOCKED.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of V6) BLOCKED.addSubnet(network, prefix, 'ipv6')

/** Is this an address of the public internet? An IPv4 address in the clothes of IPv6 is none: it is written as what it is. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !BLOCKED.check(address, 'ipv4')
  const plain = address.split('%')[0]!
  return isIP(plain) === 6 && PUBLIC_V6.check(plain, 'ipv6') && !BLOCKED.check(plain, 'ipv6')
}

/** A target that the rules for outgoing calls refuse. Trying again does not help. */
export class TargetRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TargetRefused'
  }
}

/**
 * What a URL of the author's or operator's may be: http or https, no credentials.
 * @param allowed `host` or `host:port` that may be called whatever their address
 * @throws TargetRefused
 */
export function checkUrl(url: URL, allowed: ReadonlySet<string>): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TargetRefused(`${url.protocol} is neither http nor https`)
  if (url.username !== '' || url.password !== '')
    throw new TargetRefused('a URL with credentials in it would show them in logs; use a header')
  // undici does not look up what is an address already: lookup below would never see it.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isAllowed(url, allowed) && !isPublicAddress(host)) throw refused(url.hostname)
}

export function isAllowed({ hostname, host }: URL, allowed: ReadonlySet<string>): boolean {
  return allowed.has(hostname) || allowed.has(host)
}

type LookupCallback = (error: Error | null, addresses: { address: string; family: number }[]) => void

/** A lookup for sockets that gives public addresses alone: what was checked is what is connected to. */
export function publicLookup(hostname: string, _options: unknown, done: LookupCallback): void {
  resolve(hostname, { all: true }, (error, addresses) => {
    if (error !== null) return done(error, [])
    const allPublic = addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address))
    // One that also names a private address is trying something: none of them is called.
    if (!allPublic) return done(refused(hostname), [])
    done(null, addresses)
  })
}

function refused(hostname: string): TargetRefused {
  return new TargetRefused(
    `${hostname} is a private, loopback or link-local address; \`allow_hosts\` of [observers] names those that may be called`,
  )
}
