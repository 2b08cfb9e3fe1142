import type { AnyExchange } from '../contract/http-exchange.ts'

/**
 * Is the request for a route that asks for no credential? What stands in its headers may be a token of another kind, as that of
 * `/metrics`, and is no failed login.
 */
export function isAnonymousWork(exchange: AnyExchange): boolean {
  return exchange.transport === 'http' && exchange.route?.anonymous === true
}
