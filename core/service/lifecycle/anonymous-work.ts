import type { AnyExchange } from '../../contract/http-exchange.ts'

/**
 * Tests whether a request is for a route without credentials. Tokens of another kind in its headers, such as that of `/metrics`, are no
 * failed logins. WebSocket handshakes do not count, because their headers carry the credential of the connection.
 */
export function isAnonymousWork(exchange: AnyExchange): boolean {
  if (exchange.transport !== 'http') return false
  return exchange.route?.anonymous === true && exchange.route.upgrade !== true
}
