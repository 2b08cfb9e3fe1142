import type { HttpExchange } from '../contract/http-exchange.ts'
import type { Reply } from '../contract/reply.ts'
import type { UpgradeHandler } from '../contract/upgrade.ts'
import { SvcError } from '../errors/svc-error.ts'

export interface UpgradeOptions {
  /** `true`: `authenticate` does not run; the credential comes later, in the protocol's own words. */
  readonly anonymous?: boolean
  /** Name of the protocol, in lower case: `websocket`. Who asks for another one is answered as if it had not asked. Default: any. */
  readonly protocol?: string
  /** Renders what was thrown before the connection was taken. Default: REST's `{ "error": … }`. */
  readonly renderError?: (ctx: HttpExchange, error: unknown) => Reply
}

/** Who takes the connections that ask for an upgrade at a path. */
export interface OwnedUpgrade extends UpgradeOptions {
  readonly plugin: string
  readonly path: string
  readonly handler: UpgradeHandler
}

/**
 * Adds one; it may share its path with a route.
 * @throws SvcError SVC_ROUTE_INVALID, SVC_ROUTE_DUPLICATE
 */
export function addUpgrade(upgrades: OwnedUpgrade[], added: OwnedUpgrade): void {
  const { plugin, path, handler } = added
  const invalid = (what: string) => new SvcError('SVC_ROUTE_INVALID', `Plugin "${plugin}" takes upgrades ${what}.`)
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw invalid(`at ${JSON.stringify(path)}; a path begins with "/"`)
  }
  if (typeof handler !== 'function') throw invalid(`at ${path} without a handler`)
  const twin = upgrades.find((other) => keyOf(other.path) === keyOf(path))
  if (twin !== undefined) {
    const message = `Plugin "${plugin}" takes the upgrades at ${path}, which plugin "${twin.plugin}" takes already.`
    throw new SvcError('SVC_ROUTE_DUPLICATE', message)
  }
  upgrades.push(Object.freeze({ ...added }))
}

/** Two paths that differ in the names of their parameters only are one. */
function keyOf(path: string): string {
  return path.replace(/:\w+/g, ':')
}
