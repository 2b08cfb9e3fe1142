import type { Access } from '../contract/access.ts'
import type { Operation } from '../contract/operation.ts'
import type { Setting } from '../contract/setting.ts'

const READ_ONLY: Setting = Object.freeze({ name: 'transaction_read_only', value: 'on' })

/** What a write of the operation runs with: its session variables and its role. `undefined` = nothing. */
export function writeSettings({ access }: Operation): readonly Setting[] | undefined {
  return access === undefined || access.settings.length === 0 ? undefined : access.settings
}

/** One list per access: an operation may run many statements. */
const ofReads = new WeakMap<Access, readonly Setting[]>()

/**
 * The same for a read, which then writes nothing, whatever functions it calls (behaviours 5.4). First, because a role
 * comes last.
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
