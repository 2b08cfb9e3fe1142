import type { AnyExchange, Exchange, MaybePromise } from '../../core/doors/plugin.ts'
import type { EnterpriseKeys, RateLimitingOptions } from './options.ts'

/** Where a request comes from, and how, by the rules about proxies. */
export interface ClientAddress {
  /** The address, canonical; the empty text: it came no way that has one. */
  of(exchange: Exchange): string
  /** Whom it stands for: an IPv4 address for itself, an IPv6 address for its network of 64 bits. */
  subscriberOf(exchange: Exchange): string
  /** `http` or `https`, as a proxy that is trusted says (`X-Forwarded-Proto`); `null`: none says. */
  scheme(exchange: Exchange): 'http' | 'https' | null
}

/** For fronts that take several requests in one. */
export interface RateLimits {
  /**
   * Counts one more request of whoever asks; the first is counted where it comes in.
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
