import type { AnyExchange } from '../../contract/http-exchange.ts'

/**
 * Tests whether an HTTP request is for a route that needs no credential, such as `/metrics`. Its headers may have a
 * token of another kind, which must not count as a failed login. WebSocket handshakes are excluded, because the
 * credential in their headers applies to the connection.
 */
export function isAnonymousWork(exchange: AnyExchange): boolean {
  if (exchange.transport !== 'http') return false
  return exchange.route?.anonymous === true && exchange.route.upgrade !== true
}
