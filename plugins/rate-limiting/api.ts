import type { AnyExchange, Exchange, MaybePromise } from '../../core/doors/plugin.ts'
import type { EnterpriseKeys, RateLimitingOptions } from './options.ts'

/** The address of the client, with regard to trusted proxies. */
export interface ClientAddress {
  /** Returns the address in canonical form; `''` when the transport has no addresses. */
  of(exchange: Exchange): string
  /** Returns the network that rate limits count by: the address itself for IPv4, the /64 network for IPv6. */
  subscriberOf(exchange: Exchange): string
  /** Returns the scheme in `X-Forwarded-Proto` of a trusted proxy; `null` when there is none. */
  scheme(exchange: Exchange): 'http' | 'https' | null
}

/** API for fronts that accept several requests in one. */
export interface RateLimits {
  /**
   * Counts a further request of the caller. The first request of an exchange is counted already.
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
