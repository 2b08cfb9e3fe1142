import { BlockList, isIP, isIPv4 } from 'node:net'
import { type Exchange, SvcError } from '../../core/doors/plugin.ts'
import { canonicalAddress } from './client-keys.ts'
import type { ProxyHeader } from './options.ts'
import { remember } from './remember.ts'

/** Proxies that one request may have come through. */
const MAX_HOPS = 32

export interface ProxyRules {
  readonly trust_proxy_headers: boolean
  readonly trusted_proxies: readonly string[]
  readonly proxy_header?: ProxyHeader | undefined
}

/**
 * Creates the function that returns the client's IP address. It reads `X-Forwarded-For` from the right, only as far as
 * trusted proxies wrote it. For an invalid address, or two headers that disagree, it returns the address of the
 * connection.
 * @param contradicted called when two headers disagree
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function createAddressReader(rules: ProxyRules, contradicted: () => void): (exchange: Exchange) => string {
  const { trust_proxy_headers: trusts, trusted_proxies: networks, proxy_header: only } = rules
  if (!trusts) {
    if (networks.length > 0 || only !== undefined) {
      throw invalid('trusted_proxies and proxy_header count with trust_proxy_headers = true only')
    }
    // The system writes an IPv4 address in one form, unless the socket listens for IPv6 too.
    const canonical = remember((address) => canonicalAddress(address) ?? '')
    return ({ address }) => (address.includes(':') ? canonical(address) : address)
  }
  const isTrusted = networks.length === 0 ? null : createNetworkCheck(networks)

  return (exchange) => {
    const peer = canonicalAddress(exchange.address) ?? ''
    if (isTrusted !== null && !isTrusted(peer)) return peer
    const forwarded = only === 'x-real-ip' ? undefined : exchange.headers['x-forwarded-for']
    const real = only === 'x-forwarded-for' ? undefined : exchange.headers['x-real-ip']
    if (forwarded === undefined && real === undefined) return peer
    const byForwarded = forwarded === undefined ? null : lastUntrusted(textOf(forwarded), isTrusted)
    const byReal = real === undefined ? null : parseHop(textOf(real))
    if (forwarded === undefined) return byReal ?? peer
    // If the address is a proxy further out, it is the peer of the inner proxy, and not the client.
    const says = real !== undefined && !(byReal !== null && isTrusted?.(byReal) === true)
    if (says && byReal !== byForwarded) {
      contradicted()
      return peer
    }
    return byForwarded ?? peer
  }
}

/**
 * Creates the function that returns the URL scheme of the client's request: the last entry of `X-Forwarded-Proto`, if a
 * trusted proxy sent it. `null`: there is none.
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function createSchemeReader(rules: ProxyRules): (exchange: Exchange) => 'http' | 'https' | null {
  const { trust_proxy_headers: trusts, trusted_proxies: networks } = rules
  if (!trusts) return () => null
  const isTrusted = networks.length === 0 ? null : createNetworkCheck(networks)
  return ({ address, headers }) => {
    const given = headers['x-forwarded-proto']
    if (given === undefined || (isTrusted !== null && !isTrusted(canonicalAddress(address) ?? ''))) return null
    const last = textOf(given).split(',').at(-1)?.trim().toLowerCase()
    return last === 'https' || last === 'http' ? last : null
  }
}

/** @param isTrusted `null`: trust only the connected proxy; then the last entry is the address that it saw */
function lastUntrusted(header: string, isTrusted: ((address: string) => boolean) | null): string | null {
  let end = header.length
  let last: string | null = null
  for (let hop = 0; hop < MAX_HOPS && end > 0; hop++) {
    const start = header.lastIndexOf(',', end - 1)
    last = parseHop(header.slice(start + 1, end))
    if (last === null || isTrusted === null || !isTrusted(last)) return last
    end = start
  }
  // All addresses are trusted proxies, so that the outermost one is the client.
  return last
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`. */
function parseHop(given: string): string | null {
  const text = given.trim()
  if (text.length > 64) return null
  const [, inBrackets] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? []
  if (inBrackets !== undefined) return canonicalAddress(inBrackets)
  const [, beforePort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? []
  return canonicalAddress(beforePort ?? text)
}

function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix, ...rest] = network.split('/')
    const family = isIP(address)
    const bits = family === 4 ? 32 : 128
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (family === 0 || rest.length > 0 || length < 0 || length > bits) {
      throw invalid(`trusted_proxies: "${network}" is no address and no network; write "10.0.0.0/8" or "2001:db8::1"`)
    }
    list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
  }
  return (address) => address !== '' && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

function textOf(header: string | readonly string[]): string {
  return typeof header === 'string' ? header : header.join(',')
}

function invalid(why: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[security.rate_limiting] ${why}.`)
}
