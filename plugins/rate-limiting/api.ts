import type { AnyExchange, Exchange, MaybePromise } from '../../core/doors/plugin.ts'
import type { EnterpriseKeys, RateLimitingOptions } from './options.ts'

/** The address of the client, with regard to trusted proxies. */
export interface ClientAddress {
  /** The address in canonical form; `''` when the transport has no addresses. */
  of(exchange: Exchange): string
  /** The address that limits count by: an IPv4 address itself, of an IPv6 address its /64 network. */
  subscriberOf(exchange: Exchange): string
  /** The scheme in `X-Forwarded-Proto` of a trusted proxy; `null` when there is none. */
  scheme(exchange: Exchange): 'http' | 'https' | null
}

/** For fronts that accept several requests in one. */
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
