import type { Access } from '../../../contract/access.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { Setting } from '../../../contract/setting.ts'

const READ_ONLY: Setting = Object.freeze({ name: 'transaction_read_only', value: 'on' })

/** Returns the session variables and the role with which the statements of a mutation run. `undefined`: none. */
export function writeSettings({ access }: Operation): readonly Setting[] | undefined {
  return access === undefined || access.settings.length === 0 ? undefined : access.settings
}

/** Cached by access, because an operation may run many statements. */
const ofReads = new WeakMap<Access, readonly Setting[]>()

/**
 * Returns the session variables and the role with which the statements of a query run. The first one is
 * `transaction_read_only`, so that functions called by a query cannot write; the role is the last. `undefined`: none.
 */
export function readSettings({ access }: Operation): readonly Setting[] | undefined {
  if (access === undefined || access.settings.length === 0) return undefined
  let settings = ofReads.get(access)
  if (settings === undefined) {
    settings = [READ_ONLY, ...access.settings]
    ofReads.set(access, settings)
  }
  return settings
}
