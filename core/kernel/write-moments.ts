import type { MutationModel } from '../schema/model.ts'
import type { HookRegistry } from './hooks.ts'
import type { Runner } from './stages.ts'

/** Compiled hooks of `mutation:before` and `mutation:after` for one mutation; `null`: none. */
export interface WriteMoments {
  readonly before: Runner<'mutation:before'> | null
  readonly after: Runner<'mutation:after'> | null
}

/** Returns the hooks of a mutation; `null`: it has none. */
export type MomentsOf = (mutation: MutationModel) => WriteMoments | null

/**
 * Creates the look-up of mutation hooks. `HookOptions.mutations` is evaluated once for each mutation of a schema.
 * @returns `null` when no plugin hooks `mutation:before` or `mutation:after`
 */
export function createMomentsOf(hooks: HookRegistry): MomentsOf | null {
  if (hooks.runner('mutation:before') === null && hooks.runner('mutation:after') === null) return null
  const known = new WeakMap<MutationModel, WriteMoments | { readonly none: true }>()
  return (mutation) => {
    let found = known.get(mutation)
    if (found === undefined) {
      const before = hooks.runnerFor('mutation:before', mutation) as WriteMoments['before']
      const after = hooks.runnerFor('mutation:after', mutation) as WriteMoments['after']
      found = before === null && after === null ? NONE : { before, after }
      known.set(mutation, found)
    }
    return 'none' in found ? null : found
  }
}

const NONE = { none: true } as const
