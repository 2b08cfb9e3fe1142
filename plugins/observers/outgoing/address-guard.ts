import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** Networks that webhooks must not reach: the host itself, local networks, and reserved addresses. */
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
/** Outside 2000::/3 no addresses are routed. Inside, these ranges embed another address, or are reserved for documentation. */
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

/**
 * Tests whether an IP address is public, so that webhooks may call it. An IPv4 address mapped to IPv6 counts as not
 * public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !BLOCKED.check(address, 'ipv4')
  const plain = address.split('%')[0]!
  return isIP(plain) === 6 && PUBLIC_V6.check(plain, 'ipv6') && !BLOCKED.check(plain, 'ipv6')
}

/** Error for a target that the rules for outgoing calls forbid. Another attempt would fail too. */
export class TargetRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TargetRefused'
  }
}

/**
 * Checks a URL to which svc sends a webhook or chat message: http or https, without credentials, and not a private IP
 * address.
 * @param allowed `host` or `host:port` of targets that may have a private address
 * @throws TargetRefused
 */
export function checkUrl(url: URL, allowed: ReadonlySet<string>): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TargetRefused(`${url.protocol} is neither http nor https`)
  if (url.username !== '' || url.password !== '')
    throw new TargetRefused('a URL with credentials in it would show them in logs; use a header')
  // undici does not look up literal addresses, so that `publicLookup` would not check them.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isAllowed(url, allowed) && !isPublicAddress(host)) throw refused(url.hostname)
}

export function isAllowed({ hostname, host }: URL, allowed: ReadonlySet<string>): boolean {
  return allowed.has(hostname) || allowed.has(host)
}

type LookupCallback = (error: Error | null, addresses: { address: string; family: number }[]) => void

/**
 * Resolves the host name of an outgoing connection. It fails unless all addresses of the name are public. Called by the
 * socket, so that the checked address is the one that the socket connects to.
 */
export function publicLookup(hostname: string, _options: unknown, done: LookupCallback): void {
  resolve(hostname, { all: true }, (error, addresses) => {
    if (error !== null) return done(error, [])
    const allPublic = addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address))
    // A name with public and private addresses is suspicious: none of them is used.
    if (!allPublic) return done(refused(hostname), [])
    done(null, addresses)
  })
}

function refused(hostname: string): TargetRefused {
  return new TargetRefused(
    `${hostname} is a private, loopback or link-local address; \`allow_hosts\` of [observers] names those that may be called`,
  )
}
