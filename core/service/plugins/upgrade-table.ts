import { SvcError } from '../../base/errors/svc-error.ts'
import type { OwnedUpgrade } from '../../contract/upgrade.ts'

/**
 * Checks a handler of upgrade requests that a plugin registers (`scope.upgrade`) and adds it to the list. Its path may
 * also have a route.
 * @param upgrades handlers of all plugins; the function adds to the list
 * @throws SvcError SVC_ROUTE_INVALID: the path or handler is invalid; SVC_ROUTE_DUPLICATE: a plugin already handles
 * upgrades at the path
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
