import { SvcError } from '../base/errors/svc-error.ts'
import type { HttpExchange } from '../contract/http-exchange.ts'
import type { Reply } from '../contract/reply.ts'
import type { UpgradeHandler } from '../contract/upgrade.ts'

export interface UpgradeOptions {
  /** `true`: `authenticate` does not run. The protocol itself carries the credential later. */
  readonly anonymous?: boolean
  /** Name of the protocol in lower case: `websocket`. A request to upgrade to another one is treated as a plain request. Default: any. */
  readonly protocol?: string
  /** Renders an error that is thrown before the upgrade. Default: `{ "error": { code, message, details } }`. */
  readonly renderError?: (ctx: HttpExchange, error: unknown) => Reply
}

/** Handler of upgrade requests at a path, with its plugin. */
export interface OwnedUpgrade extends UpgradeOptions {
  readonly plugin: string
  readonly path: string
  readonly handler: UpgradeHandler
}

/**
 * Adds a handler of upgrade requests. It may share its path with a route.
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

/** Returns a key that is equal for paths that differ only in the names of their parameters. */
function keyOf(path: string): string {
  return path.replace(/:\w+/g, ':')
}
