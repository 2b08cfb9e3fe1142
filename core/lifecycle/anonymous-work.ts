import type { AnyExchange } from '../contract/http-exchange.ts'

/**
 * Is the request for a route that asks for no credential? What stands in its headers may be a token of another kind, as that of
 * `/metrics`, and is no failed login. The handshake of a WebSocket is not: its headers are the credential of the connection.
 */
export function isAnonymousWork(exchange: AnyExchange): boolean {
  if (exchange.transport !== 'http') return false
  return exchange.route?.anonymous === true && exchange.route.upgrade !== true
}
