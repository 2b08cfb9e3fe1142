import type { AnyExchange } from '../contract/http-exchange.ts'

interface Mounted {
  readonly method: string
  readonly path: string
  readonly anonymous?: boolean
}

/**
 * Which requests nobody will be asked for a credential of: what stands in their headers may be a token of another kind, as
 * that of `/metrics`, and is no failed login.
 * @param routes those with parameters in their path are not looked at
 */
export function createAnonymousCheck(routes: readonly Mounted[]): (exchange: AnyExchange) => boolean {
  const methods = new Map<string, Set<string>>()
  for (const { method, path, anonymous } of routes) {
    if (anonymous !== true || /[:*(]/.test(path)) continue
    methods.set(path, (methods.get(path) ?? new Set()).add(method))
  }
  return (exchange) => exchange.transport === 'http' && methods.get(exchange.pathname)?.has(exchange.method) === true
}
