import type { AnyExchange, Exchange, MaybePromise } from '../../core/doors/plugin.ts'
import type { EnterpriseKeys, RateLimitingOptions } from './options.ts'

/** API for plugins that need the network address of the client behind trusted proxies. */
export interface ClientAddress {
  /** Returns the IP address of the client in canonical form; `''` when the transport has no addresses. */
  of(exchange: Exchange): string
  /** Returns the network by which rate limits count: the address itself for IPv4, its /64 network for IPv6. */
  subscriberOf(exchange: Exchange): string
  /** Returns the URL scheme that a trusted proxy states in `X-Forwarded-Proto`; `null` when there is none. */
  scheme(exchange: Exchange): 'http' | 'https' | null
}

/** API for plugins that accept several requests in one HTTP request, such as a batch. */
export interface RateLimits {
  /**
   * Counts one more request of the caller. The first request of an exchange is already counted.
   * @throws SvcError RATE_LIMITED, SERVICE_UNAVAILABLE
   */
  count(exchange: AnyExchange): MaybePromise<void>
}

declare module '../../core/doors/plugin.ts' {
  interface SecuritySection {
    readonly rate_limiting?: RateLimitingOptions
    readonly enterprise?: EnterpriseKeys
  }
  interface Provided {
    clientAddress: ClientAddress
    rateLimits: RateLimits
  }
}
